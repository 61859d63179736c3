import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { type Session, sessionState } from './api/session.js';
import { AdministrationScreen } from './screens/administration/administration-screen.js';
import { AuditScreen } from './screens/audit/audit-screen.js';
import { DecisionScreen } from './screens/decisions/decision-screen.js';
import { DecisionsScreen } from './screens/decisions/decisions-screen.js';
import { OverviewScreen } from './screens/overview/overview-screen.js';
import { MoneyScreen } from './screens/money/money-screen.js';
import { OrderScreen } from './screens/orders/order-screen.js';
import { OrdersScreen } from './screens/orders/orders-screen.js';
import { isOpen, placesOf, ROOT } from './screens/places.js';
import { SandboxScreen } from './screens/sandbox/sandbox-screen.js';
import { Shell } from './screens/shell.js';
import { SignInScreen } from './screens/sign-in.js';
import { StatementScreen } from './screens/statements/statement-screen.js';
import { StatementsScreen } from './screens/statements/statements-screen.js';
import { PositionScreen } from './screens/users/position-screen.js';
import { PositionsScreen } from './screens/users/positions-screen.js';
import { UserYearScreen } from './screens/users/user-year-screen.js';
import { UserScreen } from './screens/users/user-screen.js';
import { UsersScreen } from './screens/users/users-screen.js';
import { EndpointScreen } from './screens/webhooks/endpoint-screen.js';
import { WebhooksScreen } from './screens/webhooks/webhooks-screen.js';
import { WithdrawalScreen } from './screens/withdrawals/withdrawal-screen.js';
import { WithdrawalsScreen } from './screens/withdrawals/withdrawals-screen.js';
import { VaultScreen } from './screens/yields/vault-screen.js';
import { YieldsScreen } from './screens/yields/yields-screen.js';
import { Loading, Empty } from './ui/state.js';
import { Screen } from './ui/screen.js';

export function App() {
  const state = sessionState.value;
  switch (state.state) {
    case 'starting':
      return <Loading />;
    case 'out':
      return <SignInScreen ended={state.error} />;
    case 'in':
      return (
        <LocationProvider scope={ROOT}>
          <SignedIn session={state.session} />
        </LocationProvider>
      );
  }
}

function SignedIn({ session }: { session: Session }) {
  const { path, route } = useLocation();
  const places = placesOf(session);
  const home = places[0]?.path;
  // The root is the overview; a session that may not see it is led to its first screen.
  const leads = path === ROOT && home !== undefined && home !== ROOT;
  useEffect(() => {
    if (leads) route(home, true);
  }, [leads]);
  const open = isOpen(path);
  return (
    <Shell session={session}>
      {open ? (
        <Router>
          <Route path={ROOT} component={OverviewScreen} />
          <Route path={`${ROOT}/decisions`} component={DecisionsScreen} />
          <Route path={`${ROOT}/decisions/:id`} component={DecisionScreen} />
          <Route path={`${ROOT}/money`} component={MoneyScreen} />
          <Route path={`${ROOT}/yields`} component={YieldsScreen} />
          <Route path={`${ROOT}/vaults/:id`} component={VaultScreen} />
          <Route path={`${ROOT}/users`} component={UsersScreen} />
          <Route path={`${ROOT}/users/:id`} component={UserScreen} />
          <Route path={`${ROOT}/users/:id/years/:year`} component={UserYearScreen} />
          <Route path={`${ROOT}/positions`} component={PositionsScreen} />
          <Route path={`${ROOT}/positions/:id`} component={PositionScreen} />
          <Route path={`${ROOT}/statements`} component={StatementsScreen} />
          <Route path={`${ROOT}/statements/:period`} component={StatementScreen} />
          <Route path={`${ROOT}/webhooks/endpoints/:id`} component={EndpointScreen} />
          <Route path={`${ROOT}/webhooks/:part?`} component={WebhooksScreen} />
          <Route path={`${ROOT}/audit`} component={AuditScreen} />
          <Route path={`${ROOT}/sandbox`} component={SandboxScreen} />
          <Route path={`${ROOT}/orders`} component={OrdersScreen} />
          <Route path={`${ROOT}/orders/:id`} component={OrderScreen} />
          <Route path={`${ROOT}/withdrawals`} component={WithdrawalsScreen} />
          <Route path={`${ROOT}/withdrawals/:id`} component={WithdrawalScreen} />
          <Route path={`${ROOT}/administration/:part?`} component={AdministrationScreen} />
          <Route default component={NoScreen} />
        </Router>
      ) : (
        <NoScreen />
      )}
    </Shell>
  );
}

const NoScreen = () => (
  <Screen title="No such screen">
    <Empty title="There is no screen at this address, or this session may not see it.">
      <p>Choose another screen in the navigation, or sign in with a key that has more scopes.</p>
    </Empty>
  </Screen>
);
