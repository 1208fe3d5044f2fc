import {
  BadgeCheck,
  Bot,
  Cable,
  Database,
  Folder,
  KeyRound,
  type LucideIcon,
  Plug,
  ScrollText,
  Shield,
  Tag,
  UserRoundCheck,
  UserRoundCog,
  UsersRound,
  Workflow,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Permission } from "#web/components/permissions.ts";
import { Associations } from "#web/features/management/associations.tsx";
import { Audit } from "#web/features/management/audit.tsx";
import { Collectors } from "#web/features/management/collectors.tsx";
import { Connections } from "#web/features/management/connections.tsx";
import { Integrations } from "#web/features/management/integrations.tsx";
import { Namespaces } from "#web/features/management/namespaces.tsx";
import { OpenLineage } from "#web/features/management/openlineage.tsx";
import { Owners } from "#web/features/management/owners.tsx";
import { Policies } from "#web/features/management/policies.tsx";
import { Roles } from "#web/features/management/roles.tsx";
import { Sources } from "#web/features/management/sources.tsx";
import { Tags } from "#web/features/management/tags.tsx";
import { Titles } from "#web/features/management/titles.tsx";
import { Tokens } from "#web/features/management/tokens.tsx";
import type { PlainKey } from "#web/messages/text.ts";

export interface Section {
  /** What the address calls it. */
  id: string;
  name: PlainKey;
  icon: LucideIcon;
  show: ComponentType;
  /** Without it the section is not offered. */
  needs?: Permission;
}

/** What managers look after, in groups. */
export const sections: { heading: PlainKey; sections: Section[] }[] = [
  {
    heading: "management.ingestion",
    sections: [
      { id: "sources", name: "management.dataSources", icon: Database, show: Sources },
      {
        id: "connections",
        name: "management.connections",
        icon: Cable,
        show: Connections,
        needs: "CONNECTION_VIEW",
      },
      { id: "collectors", name: "management.collectors", icon: Bot, show: Collectors },
      { id: "integrations", name: "management.integrations", icon: Plug, show: Integrations },
      { id: "openlineage", name: "management.openlineage", icon: Workflow, show: OpenLineage },
    ],
  },
  {
    heading: "management.vocabulary",
    sections: [
      { id: "namespaces", name: "management.namespaces", icon: Folder, show: Namespaces },
      { id: "tags", name: "kit.tags", icon: Tag, show: Tags },
      { id: "titles", name: "management.responsibilities", icon: BadgeCheck, show: Titles },
    ],
  },
  {
    heading: "management.people",
    sections: [
      { id: "owners", name: "kit.owners", icon: UsersRound, show: Owners },
      {
        id: "associations",
        name: "management.userLinks",
        icon: UserRoundCheck,
        show: Associations,
      },
      { id: "roles", name: "management.roles", icon: UserRoundCog, show: Roles },
      { id: "policies", name: "management.policies", icon: Shield, show: Policies },
      { id: "tokens", name: "management.myTokens", icon: KeyRound, show: Tokens },
      { id: "audit", name: "management.audit", icon: ScrollText, show: Audit, needs: "AUDIT_VIEW" },
    ],
  },
];
