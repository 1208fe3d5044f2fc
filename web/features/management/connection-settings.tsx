import { SelectField, TextArea, TextField } from "#web/kit/field.tsx";
import { t } from "#web/messages/text.ts";

/** The part of JSON Schema that settings of connectors use. */
interface SettingSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  writeOnly?: boolean;
  maxLength?: number;
}

export interface SettingsSchema {
  properties?: Record<string, SettingSchema>;
  required?: string[];
}

/** Longer texts get several lines. */
const oneLine = 5_000;

/** The fields of a connector's settings, from its schema. Values are texts until they are sent. */
export function SettingFields(
  { schema, values, onValue, errorOf, stored }: {
    schema: SettingsSchema;
    values: ReadonlyMap<string, string>;
    onValue: (name: string, value: string) => void;
    errorOf: (field: string) => string | undefined;
    /** Names of secrets that are set. */
    stored: string[];
  },
) {
  return Object.entries(schema.properties ?? {}).map(([name, setting]) => (
    <SettingField
      key={name}
      setting={setting}
      label={setting.title ?? name}
      value={values.get(name) ?? ""}
      hint={stored.includes(name) ? t("management.setLeaveItEmptyTo") : setting.description}
      error={errorOf(name)}
      onValue={(value) => onValue(name, value)}
    />
  ));
}

function SettingField(
  { setting, value, onValue, ...rest }: {
    setting: SettingSchema;
    label: string;
    value: string;
    hint: string | undefined;
    error: string | undefined;
    onValue: (value: string) => void;
  },
) {
  if (setting.enum) {
    return (
      <SelectField
        {...rest}
        value={value}
        options={setting.enum.map((one) => [one, one] as const)}
        onChange={({ target }) => onValue(target.value)}
      />
    );
  }
  const isLong = setting.type === "array" || (setting.maxLength ?? 0) > oneLine;
  if (isLong) {
    return <TextArea {...rest} value={value} onChange={({ target }) => onValue(target.value)} />;
  }
  return (
    <TextField
      {...rest}
      type={setting.writeOnly ? "password" : "text"}
      autoComplete={setting.writeOnly ? "new-password" : "off"}
      inputMode={setting.type === "integer" ? "numeric" : undefined}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
}

/** The texts of a form, from settings or the defaults of the schema; lists have a line for each. */
export function textsOf(schema: SettingsSchema, settings: Record<string, unknown> = {}) {
  const text = (value: unknown) =>
    Array.isArray(value) ? value.join("\n") : value === undefined ? "" : String(value);
  return new Map(
    Object.entries(schema.properties ?? {}).map(([name, { default: standard }]) => [
      name,
      text(new Map(Object.entries(settings)).get(name) ?? standard),
    ]),
  );
}

/** Settings as the API takes them; what is empty is left out. */
export function settingsOf(schema: SettingsSchema, texts: ReadonlyMap<string, string>) {
  const entries = Object.entries(schema.properties ?? {}).flatMap(
    ([name, setting]): [string, unknown][] => {
      const { type, writeOnly } = setting;
      const text = texts.get(name) ?? "";
      const plain = writeOnly ? text : text.trim();
      if (plain === "") return [];
      if (type === "integer") return [[name, /^\d+$/.test(plain) ? Number(plain) : plain]];
      if (type !== "array") return [[name, plain]];
      return [[name, plain.split("\n").map((line) => line.trim()).filter(Boolean)]];
    },
  );
  return Object.fromEntries(entries);
}
