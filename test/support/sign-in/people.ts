import { suffix } from "#test/support/sign-in/slapd.ts";

const unit = (name: string) =>
  `dn: ou=${name},${suffix}
objectClass: organizationalUnit
ou: ${name}

`;

const person = (dn: string, lines: string[]) =>
  `dn: ${dn}
objectClass: inetOrgPerson
cn: Somebody
sn: Somebody
${lines.join("\n")}

`;

const group = (name: string, members: string[], under = "groups") =>
  `dn: cn=${name},ou=${under},${suffix}
objectClass: groupOfNames
cn: ${name}
${members.map((member) => `member: ${member}`).join("\n")}

`;

const ada = `uid=Ada,ou=people,${suffix}`;
const comma = `uid=smith\\2C bob,ou=people,${suffix}`;

/** People and groups of a directory; everybody's password is `<name>'s word`. */
export const people = [
  unit("people"),
  unit("groups"),
  unit("elsewhere"),
  unit("hidden"),
  unit("accounts"),
  person(ada, ["uid: Ada", "mail: ada@corp.example", "userPassword: ada's word"]),
  person(`uid=bob,ou=people,${suffix}`, [
    "uid: bob",
    "mail: both@corp.example",
    "userPassword: bob's word",
  ]),
  person(`uid=eve,ou=people,${suffix}`, [
    "uid: eve",
    "mail: both@corp.example",
    "userPassword: eve's word",
  ]),
  person(comma, ["uid: smith, bob", "userPassword: comma's word"]),
  person(`uid=st\\2Aar (x)\\5C,ou=people,${suffix}`, [
    "uid: st*ar (x)\\",
    "userPassword: star's word",
  ]),
  person(`uid=hid,ou=hidden,${suffix}`, ["uid: hid", "userPassword: hid's word"]),
  person(`uid=admin,ou=elsewhere,${suffix}`, ["uid: admin", "userPassword: admin's word"]),
  person(`cn=Nameless,ou=people,${suffix}`, ["cn: Nameless", "userPassword: nameless's word"]),
  group("Stewards", [ada]),
  group("Comma people", [comma]),
  group("Readers", [`uid=bob,ou=people,${suffix}`]),
  group("Data admins", [`uid=bob,ou=people,${suffix}`], "elsewhere"),
].join("");

const account = (cn: string, name: string, principal: string, more: string[] = []) =>
  `dn: cn=${cn},ou=accounts,${suffix}
objectClass: user
cn: ${cn}
sn: ${cn}
sAMAccountName: ${name}
userPrincipalName: ${principal}
userPassword: ${cn}'s word
${more.map((line) => `${line}\n`).join("")}
`;

/** Accounts as Active Directory has them. */
export const accounts = [
  account("Grace", "Grace", "grace.h@corp.example", [
    `memberOf: cn=Data admins,ou=groups,${suffix}`,
  ]),
  account("Alan", "alan", "alan@corp.example", [`memberOf: cn=Data admins,ou=elsewhere,${suffix}`]),
  account("First", "twin", "first@corp.example"),
  account("Second", "second", "twin@corp.example"),
  account("Abroad", "abroad", "alan@other.example"),
].join("");
