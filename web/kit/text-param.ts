import { useEffect, useRef, useState } from "react";
import { useParamsOfView } from "#web/kit/search-params.ts";

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
