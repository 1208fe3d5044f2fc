import { page, type Step } from "#test/support/walk/step.ts";

const of = (path: string) => `/api/dataentities/${path}`;
const id = (name: string) => ({ id }: { id: number }) => ({ [name]: id });

/** Operations by which people describe entities and terms. */
export const describing: Step[] = [
  [
    "createTerm",
    () => ["POST", "/api/terms", { name: "walked", namespace_name: "walk", definition: "d" }],
    id("term"),
  ],
  [
    "createTerm",
    () => ["POST", "/api/terms", { name: "other", namespace_name: "walk", definition: "d" }],
    id("linked"),
  ],
  ["addLinkedTermToTerm", ({ term, linked }) => ["POST", `/api/terms/${term}/term`, {
    linked_term_id: linked,
  }]],
  [
    "deleteLinkedTermFromTerm",
    ({ term, linked }) => ["DELETE", `/api/terms/${term}/term/${linked}`],
  ],
  ["addDataEntityTerm", ({ entity, term }) => ["POST", of(`${entity}/terms`), { term_id: term }]],
  ["deleteTermFromDataEntity", ({ entity, term }) => ["DELETE", of(`${entity}/terms/${term}`)]],
  [
    "addDatasetFieldTerm",
    ({ field, term }) => ["POST", `/api/datasetfields/${field}/terms`, { term_id: term }],
  ],
  [
    "deleteTermFromDatasetField",
    ({ field, term }) => ["DELETE", `/api/datasetfields/${field}/terms/${term}`],
  ],
  [
    "createTermOwnership",
    ({ term }) => ["POST", `/api/terms/${term}/ownership`, {
      owner_name: "walker",
      title_name: "steward",
    }],
    id("termOwnership"),
  ],
  [
    "updateTermOwnership",
    ({ term, termOwnership }) => ["PUT", `/api/terms/${term}/ownership/${termOwnership}`, {
      title_name: "other",
    }],
  ],
  [
    "deleteTermOwnership",
    ({ term, termOwnership }) => ["DELETE", `/api/terms/${term}/ownership/${termOwnership}`],
  ],
  [
    "createQueryExamples",
    () => ["POST", "/api/queryexample", { definition: "all", query: "SELECT 1" }],
    id("example"),
  ],
  [
    "createQueryExampleToTermRelationship",
    ({ term, example }) => ["POST", `/api/terms/${term}/queryexample`, {
      query_example_id: example,
    }],
  ],
  ["getQueryExampleByTermId", ({ term }) => ["GET", `/api/queryexample/term/${term}`]],
  [
    "deleteQueryExampleToTermRelationship",
    ({ term, example }) => ["DELETE", `/api/terms/${term}/queryexample/${example}`],
  ],
  [
    "createQueryExampleToDatasetRelationshipNew",
    ({ entity, example }) => ["POST", of(`${entity}/queryexample`), { query_example_id: example }],
  ],
  [
    "deleteQueryExampleToDatasetRelationshipNew",
    ({ entity, example }) => ["DELETE", of(`${entity}/queryexample/${example}`)],
  ],
  [
    "queryExamplesSearch",
    () => ["POST", "/api/queryexample/search", { query: "all" }],
    ({ search_id }) => ({ search: search_id }),
  ],
  ["getQueryExampleSearchFacetList", ({ search }) => ["GET", `/api/queryexample/search/${search}`]],
  [
    "updateQueryExampleSearchFacetList",
    ({ search }) => ["PUT", `/api/queryexample/search/${search}`, { query: "other" }],
  ],
  [
    "getQueryExampleSearchResults",
    ({ search }) => ["GET", `/api/queryexample/search/${search}/results?${page}`],
  ],
  ["deleteQueryExample", ({ example }) => ["DELETE", `/api/queryexample/${example}`]],
  [
    "termSearch",
    () => ["POST", "/api/terms/search", { query: "walked", filters: {} }],
    ({ search_id }) => ({ termSearch: search_id }),
  ],
  [
    "updateTermSearchFacets",
    ({ termSearch }) => ["PUT", `/api/terms/search/${termSearch}`, { query: "d", filters: {} }],
  ],
  ["mergeTerms", ({ term }) => ["POST", `/api/terms/${term}/merge`]],
  ["deleteTerm", ({ term }) => ["DELETE", `/api/terms/${term}`]],
  [
    "createDataEntityMetadataFieldValue",
    ({ entity }) => ["POST", of(`${entity}/metadata`), [
      { name: "walked", type: "STRING", value: "v" },
    ]],
    ({ items }) => ({ metadata: items[0].field.id }),
  ],
  [
    "upsertDataEntityMetadataFieldValue",
    ({ entity, metadata }) => ["PUT", of(`${entity}/metadata/${metadata}`), { value: "w" }],
  ],
  [
    "deleteDataEntityMetadataFieldValue",
    ({ entity, metadata }) => ["DELETE", of(`${entity}/metadata/${metadata}`)],
  ],
  [
    "createDataEntityGroup",
    () => ["POST", "/api/dataentitygroups", {
      name: "walked",
      type: { id: 22, name: "DOMAIN" },
      entities: [],
    }],
    id("group"),
  ],
  [
    "addDataEntityDataEntityGroup",
    ({ entity, group }) => ["POST", of(`${entity}/data_entity_group`), {
      data_entity_group_id: group,
    }],
  ],
  [
    "deleteDataEntityFromDataEntityGroup",
    ({ entity, group }) => ["DELETE", of(`${entity}/data_entity_group/${group}`)],
  ],
  [
    "createOwnership",
    ({ entity }) => ["POST", of(`${entity}/ownership`), {
      owner_name: "walker",
      title_name: "steward",
    }],
    id("ownership"),
  ],
  [
    "updateOwnership",
    ({ entity, ownership }) => ["PUT", of(`${entity}/ownership/${ownership}`), {
      title_name: "other",
    }],
  ],
  [
    "deleteOwnership",
    ({ entity, ownership }) => ["DELETE", of(`${entity}/ownership/${ownership}`)],
  ],
  [
    "createTag",
    () => ["POST", "/api/tags", [{ name: "walked" }]],
    ([first]) => ({ tag: first.id }),
  ],
  ["updateTag", ({ tag }) => ["PUT", `/api/tags/${tag}`, { name: "renamed", important: true }]],
  ["mergeTags", ({ tag }) => ["POST", `/api/tags/${tag}/merge`]],
  ["deleteTag", ({ tag }) => ["DELETE", `/api/tags/${tag}`]],
  ["removeFavorite", ({ entity }) => ["DELETE", `/api/favorites/DATA_ENTITY/${entity}`]],
  [
    "removeRecentlyViewed",
    ({ entity }) => ["DELETE", `/api/recently-viewed/DATA_ENTITY/${entity}`],
  ],
  [
    "saveLinks",
    ({ entity }) => ["POST", of(`${entity}/links`), {
      items: [{ name: "docs", url: "https://docs.example" }],
    }],
  ],
  [
    "getAttachments",
    ({ entity }) => ["GET", of(`${entity}/attachments`)],
    ({ links }) => ({ link: links[0].id }),
  ],
  [
    "updateLink",
    ({ entity, link }) => ["PUT", of(`${entity}/links/${link}`), {
      name: "more",
      url: "https://more.example",
    }],
  ],
  ["deleteLink", ({ entity, link }) => ["DELETE", of(`${entity}/links/${link}`)]],
  ["getUploadOptions", ({ entity }) => ["GET", of(`${entity}/files/uploads`)]],
  ["initiateFileUpload", ({ entity }) => ["POST", of(`${entity}/files/uploads`), {
    fileName: "a.txt",
  }]],
];
