/** Ids that the addresses of screens need. */
export interface ScreenIds {
  /** A dataset of which people have written everything. */
  orders: number;
  /** A field of it. */
  field: number;
  /** A dataset with an open alert. */
  stock: number;
  alert: number;
  /** A test of it. */
  test: number;
  /** A lookup table. */
  lookup: number;
  /** A delivery that failed. */
  delivery: string;
}

export interface Screen {
  path: (ids: ScreenIds) => string;
  /** What is offered only to those who have a permission for it, by the names of the controls. */
  takes: RegExp[];
  /** What sounds as if it changed something, and is everybody's who is signed in. */
  own?: RegExp[];
  /** The button of a menu to look into. */
  menu?: string;
}

/** How names of controls begin that change something. */
export const changing =
  /^(Accept|Add|Bind|Change|Compare with metadata|Decline|Define|Delete|Describe|Drop|Edit|End|Import|Keep|Link|Make|New|Reopen|Remove|Replay|Request|Resolve|Revoke|Restore|Save|Send|Set|Silence|Take|Unbind|Unlink|Upload|Write)\b/;

const screen = (path: string, ...takes: RegExp[]): Screen => ({ path: () => path, takes });
const section = (name: string, ...takes: RegExp[]) => screen(`/management/${name}`, ...takes);
/** A tab of an entity, whose name can be edited on each. */
const tab = (of: "orders" | "stock" | "test" | "lookup", rest: string, ...takes: RegExp[]) => ({
  path: (ids: ScreenIds) => `/dataentities/${ids[of]}/${rest}`,
  takes: [/^Edit the name$/, ...takes],
});

/** Every screen, and what of it takes a permission. */
export const screens: Record<string, Screen> = {
  home: screen("/"),
  search: screen("/search?q=orders"),
  directory: screen("/directory"),
  lineage: { path: ({ orders }) => `/lineage?ids=${orders}&panel=1`, takes: [] },
  overview: {
    ...tab(
      "orders",
      "overview",
      /^Edit the (description|tags)$/,
      /^Edit the responsibility of /,
      /^Add$/,
      /^Add an owner$/,
      /^Add to a group$/,
      /^New group with this entity$/,
      /^Link a term$/,
      /^Remove (?!from recently viewed$)/,
      /^Upload$/,
      /^Files to upload$/,
      /^Change the status/,
      /^Delete/,
    ),
    own: [/^Remove from recently viewed$/],
    menu: "Actions",
  },
  structure: {
    path: ({ orders, field }) => `/dataentities/${orders}/structure?field=${field}`,
    takes: [/^Edit the name$/, /^Edit the (internal name|description|tags|terms|values)$/],
  },
  tests: tab("stock", "tests", /^Severity of /),
  history: tab("test", "history"),
  "alerts of one": tab("stock", "alerts", /^Resolve alert \d+$/, /^Change$/),
  "activity of one": tab("orders", "activity", /^Revert$/),
  "queries of one": tab(
    "orders",
    "queries",
    /^New example$/,
    /^Link an existing one$/,
    /^Remove the link to /,
  ),
  "relationships of one": tab("orders", "relationships"),
  "data of one": tab(
    "lookup",
    "data",
    /^Add a (row|column)$/,
    /^Edit columns$/,
    /^Import CSV$/,
    /^More for /,
    /^Column /,
    /^(Edit|Delete) row \d+$/,
  ),
  alerts: { path: ({ alert }) => `/alerts?alert=${alert}`, takes: [/^Resolve$/] },
  silences: screen("/alerts/silences", /^New silence$/, /^End$/),
  deliveries: screen("/alerts/deliveries"),
  delivery: {
    path: ({ delivery }) => `/alerts/deliveries?delivery=${delivery}`,
    takes: [/^Send again$/],
  },
  activity: screen("/activity"),
  quality: screen("/quality"),
  // The visitor of few permissions may define terms.
  glossary: { ...screen("/terms"), own: [/^New term$/] },
  term: screen(
    "/terms/1/overview",
    /^Edit$/,
    /^Delete$/,
    /^Add an owner$/,
    /^Edit the responsibility of /,
    /^Remove /,
    /^Add a tag$/,
  ),
  "queries of a term": screen(
    "/terms/1/queries",
    /^Edit$/,
    /^Delete$/,
    /^Add a query example$/,
    /^Remove the query example$/,
  ),
  "query examples": screen("/queryexamples", /^New example$/),
  // Whether one may depends on what is chosen then: the form says so before anything is sent.
  "query example": {
    ...screen("/queryexamples/1", /^Edit$/, /^Delete$/, /^Remove the link to /),
    own: [/^Link a data entity$/, /^Link a term$/],
  },
  "lookup tables": screen("/lookup-tables", /^New table$/, /^More for /),
  relationships: screen("/relationships"),
  operations: screen("/operations", /^Replay all$/, /^Drop all$/, /^Select dead letter /),
  sources: section("sources", /^New data source$/, /^New token of /, /^Edit /, /^Delete /),
  openlineage: { ...section("openlineage"), own: [/^Resolve a dataset name$/] },
  collectors: section("collectors", /^New collector$/),
  connections: section("connections", /^New connection$/, /^Describe a file$/),
  integrations: section("integrations"),
  namespaces: section("namespaces", /^New namespace$/, /^Edit /, /^Delete /),
  tags: section("tags", /^New tag$/, /^Edit /, /^Delete /),
  titles: section("titles"),
  owners: section(
    "owners",
    /^New owner$/,
    /^Bind a user to /,
    /^Unbind the user of /,
    /^View as /,
    /^Edit /,
    /^Delete /,
  ),
  // Who is no owner yet may ask to be one.
  associations: {
    ...section("associations", /^History$/, /^Status$/),
    own: [/^I am$/, /^Request this owner$/],
  },
  roles: section("roles", /^New role$/, /^Edit /, /^Delete /),
  policies: section("policies", /^New policy$/, /^Delete /),
  policy: section("policies?policy=1", /^New policy$/, /^Delete /),
  tokens: { ...section("tokens", /^Revoke tokens of a user$/), own: [/^New token$/] },
  audit: section("audit", /^What happened$/, /^From$/, /^To$/),
};
