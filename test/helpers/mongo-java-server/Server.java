import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** A server that speaks MongoDB's wire protocol, for tests: java -cp 'lib/*' Server.java PORT [FILE].
 *  PORT 0 takes a free one. With FILE what is written outlives the server. Ends when its standard input ends, so that it
 *  never outlives the tests that started it, however they end. */
public class Server {
    /** What the server says it is. Without this it says wire version 8, and today's drivers want 9 at least. */
    private static final MongoVersion VERSION = new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 13;
        }
    };

    public static void main(String[] args) throws Exception {
        MongoBackend backend = args.length > 1 ? new H2Backend(args[1]) : new MemoryBackend();
        MongoServer server = new MongoServer(backend.version(VERSION));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        server.bind("127.0.0.1", Integer.parseInt(args[0]));
        System.out.println("listening on " + server.getLocalAddress().getPort());
        while (System.in.read() >= 0) {
            // Nothing is said to it; only the end matters.
        }
        System.exit(0);
    }
}
