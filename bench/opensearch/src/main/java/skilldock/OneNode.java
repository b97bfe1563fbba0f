package skilldock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node on 127.0.0.1:9201, or on the port that the second argument names, until the process is told to end. Its data
 *  is thrown away then, but where the first argument names a folder. */
public final class OneNode {
  private static final int PORT = 9201;

  public static void main(String[] arguments) throws Exception {
    boolean isKept = arguments.length > 0 && !arguments[0].isEmpty();
    int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : PORT;
    Path folder = isKept
        ? Files.createDirectories(Path.of(arguments[0]))
        : Files.createTempDirectory("skilldock-opensearch-");
    OpenSearchRunner runner = new OpenSearchRunner();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(runner, isKept)));
    runner.onBuild((number, settings) -> {
      settings.put("http.port", String.valueOf(port));
      settings.put("http.cors.enabled", false);
      // A disk that is filled by others must not make the node refuse to write.
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    }).build(OpenSearchRunner.newConfigs()
        .numOfNode(1)
        // Nodes of one name look for each other.
        .clusterName("skilldock-" + port)
        .basePath(folder.toString()));
    runner.ensureYellow();
    System.out.println("OpenSearch listens on http://127.0.0.1:" + port);
    // The node's own threads do not keep the process alive.
    Thread.currentThread().join();
  }

  private static void end(OpenSearchRunner runner, boolean isKept) {
    try {
      runner.close();
      if (!isKept) runner.clean();
    } catch (IOException problem) {
      System.err.println(problem.getMessage());
    }
  }
}
