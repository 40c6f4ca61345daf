/** The reader serves every file that a person writes; configuration knows it by this name. */
export { type JsonFault, type JsonMember, type JsonNode, placeOf, plain, readJson } from './json-read.ts'
