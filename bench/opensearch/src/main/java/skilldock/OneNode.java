package skilldock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node on 127.0.0.1:9201, until the process is told to end; its data is thrown away then. */
public final class OneNode {
  /** The first node listens one port above. The runner wants a base below 9300. */
  private static final int BASE_PORT = 9200;

  public static void main(String[] arguments) throws Exception {
    Path folder = arguments.length > 0 && !arguments[0].isEmpty()
        ? Files.createDirectories(Path.of(arguments[0]))
        : Files.createTempDirectory("skilldock-opensearch-");
    OpenSearchRunner runner = new OpenSearchRunner();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(runner)));
    runner.onBuild((number, settings) -> {
      settings.put("http.cors.enabled", false);
      // A disk that is filled by others must not make the node refuse to write.
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    }).build(OpenSearchRunner.newConfigs()
        .numOfNode(1)
        .baseHttpPort(BASE_PORT)
        .clusterName("skilldock-bench")
        .basePath(folder.toString()));
    runner.ensureYellow();
    System.out.println("OpenSearch listens on http://127.0.0.1:" + (BASE_PORT + 1));
    // The node's own threads do not keep the process alive.
    Thread.currentThread().join();
  }

  private static void end(OpenSearchRunner runner) {
    try {
      runner.close();
      runner.clean();
    } catch (IOException problem) {
      System.err.println(problem.getMessage());
    }
  }
}
