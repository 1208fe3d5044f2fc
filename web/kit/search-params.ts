import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useDebounced } from "#web/kit/field.tsx";

/** What stands in the address after `?`: all state of a view, so that a link shows what its sender saw. */
export type Params = Record<string, string | undefined>;

/**
 * The parameters of the address and how to change some of them; undefined and empty ones leave it. `push` adds a step
 * to the browser's history: for what people would go back from, not for each letter that they type.
 */
export function useParamsOfView(): [Params, (change: Params, push?: boolean) => void] {
  const params = useSearch({ strict: false }) as Params;
  const navigate = useNavigate();
  const change = useCallback((some: Params, push = false) => {
    void navigate({
      to: ".",
      replace: !push,
      search: ((before: Params) => withoutEmpty({ ...before, ...some })) as never,
    });
  }, [navigate]);
  return [params, change];
}

function withoutEmpty(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined && value !== ""),
  );
}

/** Takes parameters out of the address. */
export function without(names: readonly string[]): Params {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Ids in a parameter: `1,2,3`; invalid ones are left out. */
export function idsOf(text: string | undefined): number[] {
  return (text ?? "").split(",").map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** One of `known`, else undefined. */
export function oneOf<T extends string>(
  text: string | undefined,
  known: readonly T[],
): T | undefined {
  return known.find((one) => one === text);
}

/**
 * A text in the address that people type: the field shows each letter at once, the address follows, and going back
 * changes the field.
 */
export function useTextParam(name: string): [text: string, setText: (text: string) => void] {
  const [params, change] = useParamsOfView();
  const inAddress = params[name] ?? "";
  const [text, setText] = useState(inAddress);
  const lastWritten = useRef(inAddress);
  useEffect(() => {
    if (inAddress === lastWritten.current) return;
    lastWritten.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  const type = (now: string) => {
    setText(now);
    lastWritten.current = now;
    change({ [name]: now });
  };
  return [text, type];
}

/** What a list is searched for: what its field takes, and the text once it has come to rest. It stands in the address. */
export function useListSearch(name = "q") {
  const [value, onValue] = useTextParam(name);
  return { field: { value, onValue }, query: useDebounced(value.trim()) };
}
