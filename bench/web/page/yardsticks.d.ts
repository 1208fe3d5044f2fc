// Installed by the benchmark alone, so that their types are not there when this is checked.
declare module "@xyflow/react";
declare module "@xyflow/react/dist/style.css";
declare module "@dagrejs/dagre";
declare module "elkjs/lib/elk.bundled.js";
