import { useQueryClient } from "@tanstack/react-query";
import { refresh, type Schema, send } from "#web/api/client.ts";

export type Example = Schema<"QueryExample">;
export type ExampleForm = Schema<"QueryExampleFormData">;

export function createExample(body: ExampleForm): Promise<Schema<"QueryExampleDetails">> {
  return send("post", "/api/queryexample", { body });
}

/** Attaches an example to a data entity. */
export function linkEntity(data_entity_id: number, query_example_id: number) {
  return send("post", "/api/dataentities/{data_entity_id}/queryexample", {
    params: { path: { data_entity_id } },
    body: { query_example_id },
  });
}

export function unlinkEntity(data_entity_id: number, example_id: number) {
  return send("delete", "/api/dataentities/{data_entity_id}/queryexample/{example_id}", {
    params: { path: { data_entity_id, example_id } },
  });
}

export function linkTerm(term_id: number, query_example_id: number) {
  return send("post", "/api/terms/{term_id}/queryexample", {
    params: { path: { term_id } },
    body: { query_example_id },
  });
}

export function unlinkTerm(term_id: number, example_id: number) {
  return send("delete", "/api/terms/{term_id}/queryexample/{example_id}", {
    params: { path: { term_id, example_id } },
  });
}

/** Reads again what shows examples, after one was changed. */
export function useExamplesChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refresh(queries, "/api/queryexample", "/api/terms/{term_id}");
}

/** The first line of what an example is for, to name it by. */
export function titleOf({ definition }: { definition: string }): string {
  const line = definition.trim().split("\n", 1)[0]!;
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
