import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Base } from "@base-ui/react/dialog";
import { BookOpenText, Search } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { read } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { bufferedKeys } from "#web/kit/shortcuts.ts";
import { useInertPage } from "#web/kit/dialog.tsx";
import { useDebounced } from "#web/kit/field.tsx";
import { EntityIcon, nameOf } from "#web/components/entity-link.tsx";
import { navigation, useFeatures } from "#web/app/navigation.tsx";
import overlay from "#web/kit/overlay.module.css";
import styles from "#web/app/palette.module.css";
import { t } from "#web/messages/text.ts";

/** Something to go to. */
interface Target {
  key: string;
  text: string;
  /** Where it is, which tells it from others of its name. */
  where?: string;
  icon: ReactNode;
  go: () => void;
}

/** One box for everything: screens, entities, terms, or a search for the words. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const gone = useRef(false);
  useInertPage(true);
  return (
    <Base.Root open onOpenChange={(now) => now || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={overlay.backdrop} />
        <Base.Popup
          className={styles.palette}
          aria-label={t("app.searchOrJumpTo")}
          // Where somebody has gone, the screen takes the focus itself.
          finalFocus={() => !gone.current}
        >
          <Finder
            onClose={() => {
              gone.current = true;
              onClose();
            }}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const targets = useTargets(text, onClose);
  return (
    <Autocomplete.Root
      items={targets}
      filter={null}
      value={text}
      onValueChange={(value, { reason }) => reason !== "item-press" && setText(value)}
      itemToStringValue={(one: Target) => one.text}
      autoHighlight="always"
      inline
      open
    >
      <Autocomplete.Input
        onFocus={() => setText((now) => now + bufferedKeys())}
        className={styles.input}
        placeholder={t("app.aTableATermA")}
        aria-label={t("app.searchOrJumpTo")}
      />
      <Autocomplete.List className={styles.list}>
        {(one: Target) => (
          <Autocomplete.Item key={one.key} value={one} className={overlay.item} onClick={one.go}>
            {one.icon}
            <span className="truncate">{one.text}</span>
            {one.where && (
              <span className={classes("soft truncate", styles.where)}>{one.where}</span>
            )}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

function useTargets(text: string, onClose: () => void): Target[] {
  const navigate = useNavigate();
  const features = useFeatures();
  const query = useDebounced(text.trim(), 120);
  const enabled = query !== "";
  const entities = useQuery({ ...read("/api/search/suggestions", { query: { query } }), enabled });
  const terms = useQuery({
    ...read("/api/terms/search/suggestions", { query: { query } }),
    enabled,
  });
  const to = (path: string, search: Record<string, string> = {}) => () => {
    onClose();
    void navigate({ to: path, search: search as never });
  };
  const wanted = text.trim().toLowerCase();
  const screens = navigation.flatMap((group) => group.items)
    .filter(({ needs }) => !needs || features.has(needs))
    .map((one) => ({ ...one, text: t(one.name), words: one.words ? t(one.words) : "" }))
    .filter(({ text: name, words }) => `${name} ${words}`.toLowerCase().includes(wanted))
    .map(({ to: path, text: name, icon: Icon }) => ({
      key: path,
      text: name,
      icon: <Icon aria-hidden />,
      go: to(path),
    }));
  if (wanted === "") return screens;
  // What Enter does must not depend on how fast the service answers: nothing that is found comes before these.
  const isMeant = ({ text: name }: Target) => name.toLowerCase().startsWith(wanted);
  return [
    ...screens.filter(isMeant),
    {
      key: "search",
      text: t("app.searchFor", { text: text.trim() }),
      icon: <Search aria-hidden />,
      go: to("/search", { q: text.trim() }),
    },
    ...(enabled ? entities.data ?? [] : []).slice(0, 10).map((one) => ({
      key: `e${one.id}`,
      text: nameOf(one),
      where: placeOf(one.catrn),
      icon: <EntityIcon of={one.entity_classes} />,
      go: to(`/dataentities/${one.id}/overview`),
    })),
    ...(enabled ? terms.data?.items ?? [] : []).slice(0, 4).map(({ id, name, namespace }) => ({
      key: `t${id}`,
      text: `${namespace.name}:${name}`,
      icon: <BookOpenText aria-hidden />,
      go: to(`/terms/${id}`),
    })),
    ...screens.filter((one) => !isMeant(one)),
  ];
}

/** What a CATRN says before its own name: the system, its host and what is within. */
function placeOf(catrn: string | null | undefined): string | undefined {
  return catrn?.replace(/^\/\//, "").split("/").slice(0, -2).join("/");
}
