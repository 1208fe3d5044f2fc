import { CircleUser } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import { t } from "#web/messages/text.ts";

const load = () => import("#web/app/user-menu.tsx").then((all) => all.default);
const UserMenu = lazyComponent(load);

/** Who is signed in. The menu below it is loaded when somebody is about to open it: the screen comes first. */
export function UserButton({ onKeys }: { onKeys: () => void }) {
  const without = useAppInfo().data?.authType === "DISABLED";
  const name = useIdentity().data?.identity?.username;
  const label = name && !without ? t("app.signedInAs", { name }) : t("app.settings");
  const [open, setOpen] = useState(false);
  // Each opening is another one, so that what did not arrive is requested again.
  const [opened, setOpened] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  // A press outside closes the menu before the click comes.
  const pressedOpen = useRef(false);
  const toggle = (next: boolean) => {
    setOpen(next);
    if (next) setOpened((before) => before + 1);
  };
  const soon = () => void load().catch(() => {});
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={soon}
        onFocus={soon}
        onPointerDown={() => pressedOpen.current = open}
        onClick={({ detail }) => toggle(detail === 0 || !pressedOpen.current)}
        onKeyDown={({ key }) => key === "ArrowDown" && toggle(true)}
      >
        <CircleUser />
        {!without && <span className="truncate">{name}</span>}
      </Button>
      {opened > 0 && (
        <UserMenu
          key={opened}
          anchor={button}
          open={open}
          onOpenChange={setOpen}
          {...{ label, onKeys }}
        />
      )}
    </>
  );
}
