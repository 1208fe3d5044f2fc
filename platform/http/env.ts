/** Context of a request within the application. */
export type AppEnv = {
  /** Remote address of the request; absent where there is no socket. */
  Bindings: { client?: string };
};
