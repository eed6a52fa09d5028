// Writes types.d.ts from the OpenAPI documents of a running shop; with a file name, that file.
// COMMANDS_URL=... QUERIES_URL=... npm run types
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const ofQueries = [
  ...['Product', 'Category', 'Order', 'Review', 'User'].flatMap(name => [name, `${name}Slice`, `${name}Batch`]),
  'ProductFacets',
];
const ofCommands = [
  'ProductInput', 'ProductInputReplacement', 'ProductInputItem', 'CategoryInput', 'CategoryInputItem', 'CreateOrder',
  'UpdateOrder', 'ReviewInput', 'ReviewInputReplacement', 'ReviewInputItem', 'UserInput', 'UserInputItem',
  'CustomerToken', 'Saved', 'BulkCreated', 'BulkReplaced', 'RemovedRows', 'ChangedRows', 'DeletedRows', 'ChunkDone',
  'ChunkRefused', 'ChunkSummary', 'Problem',
];
const lists = {
  ProductQuery: 'products', CategoryQuery: 'categories', OrderQuery: 'orders', ReviewQuery: 'reviews',
  UserQuery: 'users',
};
const ofPages = ['after', 'before', 'afterId', 'pageSize', 'fields'];

async function read(address) {
  const response = await fetch(new URL('openapi/v1.json', address));
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

// The schema of a name, and those that it refers to.
function add(schemas, document, name) {
  if (schemas[name]) return;
  schemas[name] = document.components.schemas[name];
  if (!schemas[name]) throw new Error(`There is no schema ${name}.`);
  for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    add(schemas, document, other);
}

const [commands, queries] = await Promise.all([read(process.env.COMMANDS_URL), read(process.env.QUERIES_URL)]);
const schemas = {};
for (const name of ofQueries) add(schemas, queries, name);
for (const name of ofCommands) add(schemas, commands, name);
for (const [name, list] of Object.entries(lists)) {
  const parameters = queries.paths[`/${list}/cursor`].get.parameters
    .filter(parameter => parameter.in === 'query' && !ofPages.includes(parameter.name));
  const properties = parameters.map(({ name, schema, description }) => [name, { ...schema, description }]);
  schemas[name] = { type: 'object', properties: Object.fromEntries(properties) };
}

const types = await openapiTS(
  { openapi: '3.1.0', info: { title: 'ApexShop', version: '1' }, paths: {}, components: { schemas } },
  { alphabetize: true, defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true });
writeFileSync(
  process.argv[2] ?? new URL('types.d.ts', import.meta.url),
  `// Made by generate.js from the OpenAPI documents of both APIs.\n${astToString(types)}`);
