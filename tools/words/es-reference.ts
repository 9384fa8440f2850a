/** Words for developers, in Spanish: names of documents, and the page of the API. */
export const reference = {
  /** How lists name the documents, and what each is. */
  documents: {
    claims: { title: 'Afirmaciones', note: 'cada afirmación con sus límites y sus pruebas, para personas' },
    reference: {
      title: 'Referencia de la API',
      note: 'rutas, campos, límites, errores y versiones, para personas',
    },
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

  /** The page for developers. */
  apiDocs: {
    title: 'Referencia de la API',
    lead: (brand: string) =>
      `Rutas, campos, límites, errores y versiones de la API pública y del servidor MCP de ${brand}.`,
    quoted:
      'Sin autenticación ni claves. Mensajes, descripciones y límites están en inglés: así los envía el servicio.',
    contents: 'Contenido',
    copy: 'Copiar',
    copied: 'Copiado',
    real: 'Es un envío real: no hay entorno de pruebas, así que nada de esta página lo envía.',
    sections: {
      endpoints: 'Rutas',
      calls: 'Peticiones y respuestas',
      agents: 'Para agentes',
      fields: 'Campos',
      limits: 'Límites',
      errors: 'Errores',
      mcp: 'MCP',
      versions: 'Versiones',
      signatures: 'Firmas',
      documents: 'Documentos',
    },
    heads: {
      endpoints: ['Ruta', 'Qué hace', 'Recibe'],
      fields: ['Campo', 'Obligatorio', 'Regla'],
      limits: ['Qué', 'Límite', 'Política'],
      errors: ['Código', 'HTTP', 'Significado'],
      documents: ['Documento', 'Qué es'],
    },
    yes: 'sí',
    no: 'no',
    base: 'Las rutas no terminan en barra. Dirección base',
    alias: 'Alias',
    atMost: 'como máximo',
    status: 'Si el servicio está en marcha',
    descriptor: 'Qué es el servidor MCP',
    a2a: 'A2A 1.0, de solo lectura: un mensaje es una pregunta',
    headers: 'Los muestra cada respuesta, menos el 400 de POST /mcp',
    limited: 'Una petición por encima de un límite recibe un 429 con Retry-After en segundos.',
    /** Where there is something to send. */
    unlimited: 'Un envío que no pasa la validación no cuenta.',
    errors:
      'Por REST un error es JSON con ok, error, code y hint, y con issues si hay campos no válidos: un "field: rule" por campo. invalid_request llega también como 403, 408, 413 y 431.',
    errorPage: 'Un formulario enviado desde el navegador recibe una página.',
    mcp: (url: string, versions: readonly string[]) =>
      `Streamable HTTP con respuestas JSON en ${url}, versiones ${versions.join(' y ')} del protocolo. Una herramienta que falla es un resultado con isError y el cuerpo del error REST. Errores del protocolo:`,
    paths: (prefix: string, aliases: readonly string[]) =>
      `Las rutas REST están bajo ${prefix}${aliases.length > 0 ? `; ligadas a esa versión: ${aliases.join(' y ')}` : ''}. /ask sigue su propia convención, y /mcp las versiones del protocolo ya citadas. Cada respuesta lleva API-Version.`,
    breaking:
      'Los cambios incompatibles llegan solo con una versión mayor nueva. Un campo opcional nuevo en una respuesta no es un cambio incompatible.',
    notice: (days: number) =>
      `Una versión obsoleta sigue en marcha al menos ${days} días después de su primera cabecera Deprecation (RFC 9745), y sus respuestas llevan Sunset (RFC 8594) y un Link al aviso.`,
    /** What is deprecated; may be empty. */
    deprecated: (versions: string) =>
      versions === '' ? 'Ahora no hay nada obsoleto.' : `Obsoleto ahora: ${versions}.`,
    signed:
      'Cualquiera puede comprobarla: JWS sobre los bytes RFC 8785 del documento sin su miembro signatures.',
    reading:
      'Todo lo que dice una respuesta está palabra por palabra en el perfil. Cada afirmación tiene límites: di dónde se aplica, y no la uses donde no se aplica.',
  },
};

/** What a language has to say to developers. */
export type Reference = typeof reference;
