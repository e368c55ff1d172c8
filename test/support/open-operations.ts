/** What needs no token. Whoever adds to this list opens a door to everybody. */
export const PUBLIC: readonly string[] = ['exchangeToken', 'login', 'operatorLogin', 'refresh', 'service'];

/** What operators alone may do. */
export const OPERATORS: readonly string[] = [
  ...['createTenant', 'tenants', 'suspendTenant', 'resumeTenant', 'deleteTenant', 'instanceHealth'],
  ...['operators', 'createOperatorCode', 'disableOperator', 'operatorLog', 'verifyOperatorLog'],
  ...['quota', 'setQuota', 'setDefaultQuota'],
];
