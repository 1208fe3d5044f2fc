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
  const told = useRef(inAddress);
  useEffect(() => {
    if (inAddress === told.current) return;
    told.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  const type = (now: string) => {
    setText(now);
    told.current = now;
    change({ [name]: now });
  };
  return [text, type];
}
