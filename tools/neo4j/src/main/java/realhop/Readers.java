package realhop;

import java.util.Map;
import org.neo4j.graphdb.factory.module.GlobalModule;
import org.neo4j.graphdb.factory.module.edition.CommunityEditionModule;
import org.neo4j.internal.kernel.api.connectioninfo.ClientConnectionInfo;
import org.neo4j.internal.kernel.api.security.AbstractSecurityLog;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.LoginContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.security.AuthManager;
import org.neo4j.kernel.api.security.exception.InvalidAuthTokenException;
import org.neo4j.kernel.api.security.provider.SecurityProvider;
import org.neo4j.kernel.database.PrivilegeDatabaseReference;

/**
 * Community Neo4j in which the user `reader` may only read.
 *
 * <p>The Community edition has users but no roles. Its kernel knows access modes all the same, and
 * asks them at every write; this gives one user the mode that a role would give.
 */
final class Readers extends CommunityEditionModule {
    private static final String READER = "reader";

    Readers(GlobalModule module) {
        super(module);
    }

    @Override
    public void createSecurityModule(GlobalModule module) {
        super.createSecurityModule(module);
        SecurityProvider whole = getSecurityProvider();
        AuthManager restricted = new Restricted(whole.authManager());
        setSecurityProvider(new SecurityProvider() {
            @Override
            public AuthManager authManager() {
                return restricted;
            }

            @Override
            public AuthManager inClusterAuthManager() {
                return whole.inClusterAuthManager();
            }

            @Override
            public AuthManager loopbackAuthManager() {
                return whole.loopbackAuthManager();
            }
        });
    }

    private static final class Restricted extends AuthManager {
        private final AuthManager whole;

        Restricted(AuthManager whole) {
            this.whole = whole;
        }

        @Override
        public LoginContext login(Map<String, Object> token, ClientConnectionInfo client)
                throws InvalidAuthTokenException {
            LoginContext login = whole.login(token, client);
            return login.subject().hasUsername(READER) ? new Reading(login) : login;
        }

        @Override
        public LoginContext impersonate(LoginContext login, String user) {
            return whole.impersonate(login, user);
        }
    }

    private static final class Reading extends LoginContext {
        private final LoginContext login;

        Reading(LoginContext login) {
            super(login.subject(), login.connectionInfo());
            this.login = login;
        }

        @Override
        public SecurityContext authorize(
                IdLookup ids, PrivilegeDatabaseReference database, AbstractSecurityLog log) {
            return login.authorize(ids, database, log).withMode(AccessMode.Static.READ);
        }
    }
}
