// deno-lint-ignore-file house/interface-text -- it stands where there are no messages
import { Button } from "#web/kit/button.tsx";
import { Empty } from "#web/kit/states.tsx";

/** Stands for the interface when its messages did not arrive: in English, whatever the language is. */
export function WithoutTexts() {
  return (
    <Empty
      title="The interface could not be loaded"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      The server is unreachable, or a new release is being installed.
    </Empty>
  );
}
