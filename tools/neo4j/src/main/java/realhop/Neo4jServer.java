package realhop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.configuration.ssl.ClientAuth;
import org.neo4j.configuration.ssl.SslPolicyConfig;
import org.neo4j.configuration.ssl.SslPolicyScope;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilderImplementation;
import org.neo4j.graphdb.factory.module.GlobalModule;
import org.neo4j.graphdb.factory.module.edition.AbstractEditionModule;

/**
 * Neo4j Community over Bolt on 127.0.0.1, for tests: Neo4jServer HOME PORT [auth] [read-only] [tls].
 *
 * <p>With auth, the user `reader` may only read. With tls it also speaks TLS, by
 * HOME/certificates/bolt/private.key and public.crt.
 */
public final class Neo4jServer {
    private Neo4jServer() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        int port = Integer.parseInt(args[1]);
        var options = java.util.List.of(args).subList(2, args.length);
        Files.createDirectories(home);
        var community = new DatabaseManagementServiceBuilderImplementation(home) {
            @Override
            protected Function<GlobalModule, AbstractEditionModule> getEditionFactory(Config config) {
                return Readers::new;
            }
        };
        var builder = community
                .setConfig(GraphDatabaseSettings.auth_enabled, options.contains("auth"))
                .setConfig(GraphDatabaseSettings.read_only_database_default, options.contains("read-only"))
                // A test database is thrown away: it keeps no transaction logs and little memory.
                .setConfig(GraphDatabaseSettings.pagecache_memory, 256L * 1024 * 1024)
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
                .setConfig(BoltConnector.advertised_address, new SocketAddress("127.0.0.1", port));
        if (options.contains("tls")) {
            SslPolicyConfig policy = SslPolicyConfig.forScope(SslPolicyScope.BOLT);
            builder.setConfig(policy.enabled, true)
                    .setConfig(policy.base_directory, home.resolve("certificates/bolt"))
                    .setConfig(policy.client_auth, ClientAuth.NONE)
                    // Optional: the script asks in the clear whether the server is up.
                    .setConfig(BoltConnector.encryption_level, BoltConnector.EncryptionLevel.OPTIONAL);
        }
        DatabaseManagementService service = builder.build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        Thread.sleep(Duration.ofDays(365).toMillis());
    }
}
