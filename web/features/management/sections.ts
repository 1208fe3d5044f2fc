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

export interface Section {
  /** What the address calls it. */
  id: string;
  name: string;
  icon: LucideIcon;
  show: ComponentType;
  /** Without it the section is not offered. */
  needs?: Permission;
}

/** What managers look after, in groups. */
export const sections: { heading: string; sections: Section[] }[] = [
  {
    heading: "Ingestion",
    sections: [
      { id: "sources", name: "Data sources", icon: Database, show: Sources },
      {
        id: "connections",
        name: "Connections",
        icon: Cable,
        show: Connections,
        needs: "CONNECTION_VIEW",
      },
      { id: "collectors", name: "Collectors", icon: Bot, show: Collectors },
      { id: "integrations", name: "Integrations", icon: Plug, show: Integrations },
      { id: "openlineage", name: "OpenLineage", icon: Workflow, show: OpenLineage },
    ],
  },
  {
    heading: "Vocabulary",
    sections: [
      { id: "namespaces", name: "Namespaces", icon: Folder, show: Namespaces },
      { id: "tags", name: "Tags", icon: Tag, show: Tags },
      { id: "titles", name: "Responsibilities", icon: BadgeCheck, show: Titles },
    ],
  },
  {
    heading: "People",
    sections: [
      { id: "owners", name: "Owners", icon: UsersRound, show: Owners },
      { id: "associations", name: "User links", icon: UserRoundCheck, show: Associations },
      { id: "roles", name: "Roles", icon: UserRoundCog, show: Roles },
      { id: "policies", name: "Policies", icon: Shield, show: Policies },
      { id: "tokens", name: "My tokens", icon: KeyRound, show: Tokens },
      { id: "audit", name: "Audit", icon: ScrollText, show: Audit, needs: "AUDIT_VIEW" },
    ],
  },
];
