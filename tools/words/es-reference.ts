/** Words for developers, in Spanish: names of documents, and the page of the API. */
export const reference = {
  /** How lists name the documents, and what each is. */
  documents: {
    claims: { title: 'Afirmaciones', note: 'cada afirmación con sus límites y sus pruebas, para personas' },
    reference: { title: 'Documentación', note: 'AGENTS.md como página, para personas' },
    openapi: { title: 'Descripción OpenAPI', note: 'la API HTTP en OpenAPI 3.1' },
    apiCatalog: { title: 'Catálogo de API', note: 'las API y lo que las describe (RFC 9727)' },
    aiCatalog: { title: 'Catálogo para IA', note: 'todo lo que un agente puede usar aquí' },
    serverCard: {
      title: 'Ficha del servidor MCP',
      note: 'dirección, versiones y propósito del servidor (SEP-2127)',
    },
    mcpDiscovery: {
      title: 'Descubrimiento MCP',
      note: 'la ficha del servidor, con herramientas y transporte',
    },
    agentCard: { title: 'Ficha del agente', note: 'el agente A2A, de solo lectura' },
    skills: { title: 'Habilidades para agentes', note: 'las habilidades con sus huellas' },
    profile: { title: 'Perfil de marca', note: 'afirmaciones, límites y pruebas: de aquí responde /ask' },
    schema: { title: 'Esquema del perfil', note: 'el formato de brand.json en JSON Schema' },
    keys: { title: 'Claves públicas', note: 'comprueban la firma del perfil de marca' },
    llms: { title: 'llms.txt', note: 'qué es esto, con enlaces' },
    agents: { title: 'AGENTS.md', note: 'todo lo que un agente necesita, en una página' },
    skill: { title: 'Habilidad', note: 'cuándo y cómo usar' },
  },
};

/** What a language has to say to developers. */
export type Reference = typeof reference;
