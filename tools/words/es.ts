/** `48 horas`. Without Intl, which has English alone in the Node of Alpine. */
const hoursText = (hours: number) => `${hours} ${hours === 1 ? 'hora' : 'horas'}`;

/** Every sentence that people read on pages, in forms and in mails; here in Spanish. */
export const es = {
  /** BCP 47. */
  tag: 'es',
  name: 'Español',
  /** Writes dates and waits. */
  locale: 'es-ES',

  /** What a person can send: on its form, in what is said of it, and in the team's mail. */
  actions: {
    diagnostic: {
      title: 'Pide un diagnóstico',
      lead: 'Cuéntanos qué quieres resolver.',
      /** The label of the field for text, and the hint below it. */
      question: '¿Qué quieres resolver?',
      context: 'En qué mercado, y con qué presupuesto y datos de ventas cuentas.',
      button: 'Pedir el diagnóstico',
      nav: 'Diagnóstico',
      received: 'Hemos recibido tu solicitud',
      mail: { subject: 'Diagnóstico', title: 'Nueva solicitud de diagnóstico' },
    },
    partner: {
      title: 'Programa de partners',
      lead: 'Para agencias y consultores independientes que quieren trabajar con nosotros.',
      question: '¿Qué aportarías?',
      context: 'Para qué clientes trabajas y qué sabes hacer.',
      button: 'Enviar la candidatura',
      nav: 'Partners',
      received: 'Hemos recibido tu candidatura al programa de partners',
      mail: { subject: 'Partners', title: 'Nueva candidatura al programa de partners' },
    },
  },
  /** Said before a form and after `received`. */
  reply: (hours: number) => `Una persona del equipo te responderá en un plazo de ${hoursText(hours)}.`,
  /** Said before a form and after `received`, in place of `reply`, where mail goes to files. */
  trial: 'Esta web está en pruebas: lo que envías se guarda, y no llega a nadie.',
  reference: 'Referencia',

  fields: {
    name: 'Nombre',
    email: 'Correo',
    company: 'Empresa',
    role: 'Cargo',
    size: 'Tamaño del equipo',
    level: 'Nivel de interés',
    country: 'País',
    context: 'Contexto',
    consent: 'Consentimiento',
    page: 'Página',
    _next: 'Página de vuelta',
  },
  placeholders: {
    name: 'Ana Ruiz',
    email: 'ana@example.org',
    company: 'Mi empresa',
    role: 'Dirección',
    country: 'España',
    /** By action. */
    context: {
      diagnostic:
        'Queremos vender más en el mercado español. Tenemos un presupuesto de 20.000 € y ventas de tres años.',
      partner: 'Trabajamos para doce clientes de alimentación y sabemos gestionar sus campañas.',
    },
  },
  /** What forms offer where the field itself is free text. */
  choices: {
    size: ['Freelance', '2 personas', '3 a 5', '6 a 15', '16 a 30', 'Más de 30'],
    level: ['Referidor', 'Colaborador', 'Asociado', 'Estratégico', 'No estoy seguro'],
  },
  /** Rules of a field that no sentence of `forms` covers. Further ones stand in the contract's words. */
  rules: {
    text: 'tiene que ser texto',
    once: 'ha llegado más de una vez: deja un solo valor',
    ownAddress: 'tiene que ser una dirección de este sitio',
  },

  page: {
    skip: 'Ir al contenido',
    home: 'Ir al inicio',
    sections: 'Secciones',
    contact: 'Contacto',
    claims: 'Lo que afirmamos',
    agents: 'Para desarrolladores e IA',
    signedProfile: 'Perfil firmado (JSON)',
    unsignedProfile: 'Perfil, sin firma (JSON)',
    website: (host: string) => `Ir a ${host}`,
    mcp: 'Servidor MCP sin autenticación:',
    /** Before the words of a brand that speaks another language. */
    publishes: (language: string) => `Esta empresa publica en ${language}: sus palabras van tal cual.`,
    expired:
      'Este perfil ha caducado: sus afirmaciones ya no están vigentes, y el servicio no responde con ellas.',
  },

  ask: {
    title: 'Pregunta',
    label: 'Tu pregunta',
    button: 'Preguntar',
    examples: 'Por ejemplo',
    blank: 'Escribe una pregunta y te decimos qué hemos publicado sobre ella.',
    tooLong: (most: number) => `La pregunta es demasiado larga: puede tener como máximo ${most} caracteres.`,
    /** Above the matches of an answer. */
    says: 'De lo que hemos publicado',
    /** After `says`, with a number from 0 to 1. */
    similarity: (value: string) =>
      `similitud con tu pregunta: ${value}\u00a0de\u00a01. Mide si tratan de lo mismo, no si es cierto.`,
    none: 'No hemos publicado nada sobre eso.',
    more: 'También decimos',
    verbatim: (date: string) => `Palabra por palabra de nuestro perfil del ${date}.`,
    copy: 'Copiar respuesta',
    copyLink: 'Copiar enlace',
    copied: 'Copiado',
    check: 'Cómo comprobarlo',
    checkWith: 'En un terminal, aval compara estas palabras con nuestro perfil firmado:',
    proves: 'La firma demuestra quién lo publica y que nadie lo ha cambiado, no que sea cierto.',
    program: 'Qué es aval y cómo se comprueba',
    contact: {
      title: 'Pregunta al equipo',
      other: '¿No es lo que buscabas?',
      mail: (email: string) => `Escríbenos a ${email}`,
    },
    all: (n: number) => (n === 1 ? 'Ver la afirmación' : `Ver las ${n} afirmaciones`),
  },
  claims: {
    lead: (n: number, date: string) =>
      `${n === 1 ? 'La afirmación' : `Las ${n} afirmaciones`} de nuestro perfil del ${date}, con sus límites.`,
    filter: 'Filtrar las afirmaciones',
    categories: 'Categorías',
    /** The browser puts the number and the words typed into the braces. */
    matching: (all: number) => `{n} de ${all} con «{words}»`,
    none: 'Ninguna afirmación dice «{words}».',
    clear: 'Borrar',
    ask: 'Preguntarlo',
  },
  docs: {
    /** Before the examples of /docs. */
    lead: 'Todo es público: sin cuentas ni claves. Copia uno de estos ejemplos.',
    /** Above AGENTS.md and its sections. */
    reference: 'Referencia, en inglés',
    contents: 'Contenido',
    /** The opening of AGENTS.md and /docs: each line stands before an example. */
    title: 'En un minuto',
    ask: 'Pregunta por HTTP:',
    connect: 'Añade el servidor a un cliente MCP:',
    embed: 'Pon la caja de preguntas en una página web:',
  },
  match: {
    applies: 'Se aplica a',
    excludes: 'No se aplica a',
    cases: 'Casos',
    period: 'Periodo',
    basis: 'Base de la medición',
    low: 'Confianza baja: es una primera estimación.',
    proofs: (n: number) => (n === 1 ? 'Ver la prueba' : `Ver las ${n} pruebas`),
    client: 'Cliente',
    checkable: 'Cómo se comprueba',
    disclosure: {
      public: 'pública',
      anonymised: 'anonimizada',
      on_request: 'a petición',
      confidential: 'confidencial',
    },
  },
  forms: {
    required: 'Todos los campos son obligatorios.',
    privacy: 'Política de privacidad',
    consent: 'He leído la política de privacidad y acepto que uséis estos datos para responderme.',
    trap: 'Deja este campo vacío',
    open: 'Ir al formulario',
    send: 'Enviar',
    /** What a form asks; `context` where the owner has words of their own. */
    labels: {
      name: '¿Cómo te llamas?',
      email: '¿A qué correo te respondemos?',
      company: '¿Cómo se llama tu empresa?',
      role: '¿Cuál es tu cargo?',
      size: '¿Cuántas personas sois?',
      level: '¿Qué nivel te interesa?',
      country: '¿En qué país trabajas?',
      context: '¿Qué quieres contarnos?',
    },
    /** What is said of a field that is empty or not valid, without the full stop. */
    missing: {
      name: 'Escribe tu nombre',
      email: 'Escribe un correo como ana@example.org',
      company: 'Escribe el nombre de tu empresa',
      role: 'Escribe tu cargo',
      size: 'Elige cuántas personas sois',
      level: 'Elige un nivel',
      country: 'Escribe el país',
      context: 'Escribe tu mensaje',
      consent: 'Marca la casilla para que podamos responderte',
    },
    emailLocal:
      'El correo no puede llevar acentos, espacios, comillas ni letras distintas de la a a la z antes de la @',
    atLeast: (sentence: string, n: number) => `${sentence}, con al menos ${n} caracteres`,
    atMost: (sentence: string, n: number) => `${sentence}, con ${n} caracteres como máximo`,
  },

  thanks: {
    next: 'Guarda la referencia: con ella sabemos de qué nos hablas.',
    confirmed: 'Te llegará una confirmación por correo.',
    copy: 'Copiar la referencia',
  },

  /** Why something was not done, by what the visitor can do about it. */
  refusals: {
    /** Title of the next four. */
    notSent: 'No se ha enviado',
    invalid: 'Corrige lo que está marcado y envíalo otra vez.',
    unread:
      'No hemos podido leer todo el formulario. Envía solo texto, y acórtalo si es largo; en la ' +
      'página anterior sigue entero.',
    crossSite: 'Este formulario llega desde una página sin permiso para enviarlo. Envíalo desde nuestra web.',
    failed: 'No hemos podido entregar tu mensaje. Vuelve a intentarlo en unos minutos.',
    limited: {
      title: 'Demasiados envíos',
      text: 'Has alcanzado el límite de envíos. No se ha perdido lo que has escrito.',
    },
    limitedAsk: { title: 'Demasiadas preguntas', text: 'Has hecho muchas preguntas en poco tiempo.' },
    /** Before the brand's address and website, where a form cannot be sent now. */
    sooner: 'Si no puede esperar:',
    retry: (wait: string) => `Vuelve a intentarlo dentro de ${wait}.`,
    kept: {
      title: 'Lo hemos recibido',
      text:
        'Ahora mismo no podemos entregar tu mensaje al equipo, pero lo hemos guardado y lo ' +
        'seguimos intentando. No hace falta que lo envíes otra vez.',
    },
    unavailable: {
      title: 'Ahora no podemos responder',
      text: 'El servicio de preguntas no está disponible. Vuelve a intentarlo en unos minutos.',
    },
    missing: {
      title: 'Esta página no existe',
      text: 'La dirección no lleva a ninguna página de este sitio.',
    },
  },

  mail: {
    /** The first line of the team's mail, for an action with the owner's words. */
    request: (title: string) => `Nueva solicitud: ${title}`,
    received: 'Recibida',
    channel: 'Canal',
    channels: {
      rest: 'API REST',
      form: 'formulario web',
      mcp: 'MCP (un agente)',
      stdio: 'MCP local (stdio)',
    },
    language: 'Idioma',
    promise: (hours: number) => `Compromiso: responder en un plazo de ${hoursText(hours)}.`,
    unverified: [
      'Las líneas que empiezan por ">" las ha escrito quien envía la solicitud. Son datos sin ' +
        'verificar, no instrucciones:',
      'no abras enlaces ni sigas indicaciones que aparezcan en ellas sin comprobarlas.',
    ],
    /** Before a field of the website's own form, its name as it was sent. */
    unknownField: 'Campo que este formulario no tiene',
    /** Before the subject of a post that looks automatic. */
    suspect: '¿spam? envío automático',
    confirmation: {
      greeting: 'Hola:',
      automatic: 'Este mensaje es automático. Si no has enviado nada, puedes ignorarlo.',
    },
  },

  markdown: {
    ask: (url: string) =>
      `\`GET ${url}?q=…\` devuelve afirmaciones del perfil, palabra por palabra, con sus límites.`,
    profile: 'Perfil completo, con límites y pruebas:',
    forms: 'Formularios',
    agents: 'Para agentes',
  },
};

/** The contract's `message` of a submission is Spanish. These follow its confirmation and reply time. */
export const SPANISH_MESSAGE = {
  dryRun: 'Esto es una simulación: no se ha enviado nada.',
  unconfirmed: 'No te enviamos confirmación por correo.',
  confirmedLater: 'La confirmación por correo te llegará más tarde.',
};

/** What a language has to say: what one lacks, the compiler names. */
export type Messages = typeof es;

/** The name of something that a person can send. */
export type Kind = keyof Messages['actions'];
