import { useMutation } from "@tanstack/react-query";
import { messagesByField } from "#web/api/errors.ts";

/**
 * A form that is sent: `send` does it, `errorOf(field)` is what the service said of a field (by the last part of
 * its path too, so that `owner_name` finds `body.owner_name`), and `rest` what concerns no field that was requested.
 */
export function useForm<Input, Result>(
  send: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const mutation = useMutation({ mutationFn: send, onSuccess: onDone });
  const messages = mutation.isError ? messagesByField(mutation.error) : new Map<string, string>();
  const touched = new Set<string>();
  const found = (field: string) =>
    [...messages].find(([path]) => path === field || path.endsWith(`.${field}`));
  return {
    submit: (input: Input) => mutation.mutate(input),
    busy: mutation.isPending,
    failed: mutation.isError,
    reset: mutation.reset,
    errorOf: (field: string) => {
      touched.add(field);
      return found(field)?.[1];
    },
    /** To be requested after the fields. */
    rest: () => {
      const known = new Set([...touched].map((field) => found(field)?.[0]));
      return [...messages].filter(([path]) => !known.has(path)).map(([path, text]) =>
        path ? `${path}: ${text}` : text
      );
    },
  };
}
