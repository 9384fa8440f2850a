import type { Trade } from './trade.ts';

/**
 * An invented music school in Spanish, a trade that neither the example brand nor the training of the model has. The claims were written
 * as a brochure says things, the 40 questions as people ask, before anything was measured; the fresh 15 are never looked at while mending.
 */

// biome-ignore format: a table, a claim a line
const claims: Trade['claims'] = [
  ['individual', 'tarifas', 'La clase individual de instrumento tiene un precio de 68 euros mensuales.', 'Alumnos de piano, violín, guitarra y flauta con una clase por semana.', 'Clases sueltas y clases a domicilio.'],
  ['grupo', 'tarifas', 'La clase de lenguaje musical en grupo tiene un precio de 32 euros mensuales.', 'Grupos de cuatro a ocho alumnos de la misma edad.', 'Preparación de pruebas oficiales.'],
  ['suelta', 'tarifas', 'Una sesión puntual de una hora cuesta 25 euros.', 'Adultos que no siguen el curso entero.', 'Menores de 12 años, que siguen siempre un curso.'],
  ['matricula', 'tarifas', 'La matrícula es de 30 euros por curso.', 'Todos los alumnos nuevos y los que renuevan.', 'Participantes de los talleres de verano.'],
  ['hermanos', 'tarifas', 'El segundo miembro de la misma familia paga un 15 % menos.', 'Familias con dos o más personas matriculadas en instrumento.', 'Talleres de verano y alquiler de instrumentos.'],
  ['pago', 'tarifas', 'Los recibos se cobran por domiciliación el día 5 de cada mes.', 'Cursos de octubre a junio.', 'Sesiones puntuales, que se abonan con tarjeta.'],
  ['duracion', 'clases', 'La clase individual dura 45 minutos semanales.', 'Piano, violín, guitarra y flauta.', 'Alumnos menores de 7 años, con clases de 30 minutos.'],
  ['edad', 'clases', 'Admitimos alumnos de instrumento a partir de 6 años.', 'Piano, violín y guitarra.', 'Flauta travesera, que empieza a los 9 años.'],
  ['iniciacion', 'clases', 'Los talleres de iniciación musical son para niños de 3 a 5 años, acompañados de un familiar.', 'Grupos de diez niños como máximo, los sábados.', 'Clases de un instrumento concreto.'],
  ['adultos', 'clases', 'El 40 % de nuestro alumnado son adultos, y la mitad empezó sin saber solfeo.', 'Personas mayores de 18 años de cualquier nivel.', 'Grado profesional de conservatorio.'],
  ['prueba', 'clases', 'La primera clase es gratuita y sin compromiso.', 'Una por persona, con cita previa.', 'Talleres y cursos de verano.'],
  ['conservatorio', 'resultados', 'En 2025 superaron la prueba de acceso al conservatorio 18 de los 21 alumnos presentados.', 'Alumnos con dos cursos de preparación como mínimo.', 'Quienes preparan la prueba por su cuenta.'],
  ['audiciones', 'clases', 'Organizamos tres audiciones abiertas al público cada curso.', 'Alumnos de instrumento a partir del segundo trimestre.', 'Alumnos que prefieren no tocar en público: nadie está obligado.'],
  ['profesores', 'equipo', 'Los nueve profesores tienen título superior de música.', 'Todas las especialidades de instrumento.', 'Monitores de los talleres de verano.'],
  ['horario', 'horarios', 'Abrimos de lunes a viernes de 16 a 21 horas y los sábados de 10 a 14.', 'De septiembre a junio.', 'Julio, con horario de mañana, y agosto, cerrado.'],
  ['cambios', 'normas', 'Recuperamos la clase perdida si nos avisas con 24 horas.', 'Hasta tres clases por trimestre.', 'Ausencias sin aviso, que no se devuelven.'],
  ['baja', 'normas', 'Puedes darte de baja cualquier mes si lo comunicas antes del día 20.', 'Cursos de instrumento y de grupo.', 'Bonos y talleres ya empezados.'],
  ['alquiler', 'instrumentos', 'Alquilamos violines y guitarras por 12 euros al mes.', 'Alumnos matriculados, con fianza de 50 euros.', 'Pianos y flautas.'],
  ['cabinas', 'instalaciones', 'Los alumnos disponen de cuatro cabinas de estudio insonorizadas.', 'Alumnos matriculados, en turnos de una hora.', 'Grupos y ensayos con amplificador.'],
  ['verano', 'talleres', 'El campamento musical de julio dura dos semanas y cuesta 190 euros.', 'Niños de 7 a 12 años, de 9 a 14 horas.', 'Comedor y transporte.'],
  ['online', 'clases', 'Ofrecemos clase por videollamada con el mismo profesor cuando no puedes venir.', 'Adultos y alumnos a partir de 12 años.', 'Niños pequeños y coro.'],
  ['coro', 'clases', 'El coro infantil no tiene coste para los alumnos de instrumento.', 'Niños de 7 a 13 años, los viernes.', 'Niños sin clase de instrumento, que pagan 15 euros al mes.'],
  ['accesible', 'instalaciones', 'Toda la escuela está en planta baja y sin escalones.', 'Aulas, cabinas y aseos.', 'El altillo del archivo.'],
  ['afinacion', 'instrumentos', 'Afinamos los pianos de la escuela dos veces al año.', 'Los siete pianos de las aulas.', 'Pianos particulares de los alumnos.'],
];

// biome-ignore format: a table, a question a line
const questions: Trade['questions'] = [
  ['¿Cuánto vale aprender piano?', 'individual'], ['precio de las clases de guitarra', 'individual'], ['¿Qué cuesta el solfeo?', 'grupo'],
  ['¿Puedo ir solo un día suelto y cuánto sería?', 'suelta'], ['¿Hay que pagar inscripción?', 'matricula'], ['¿Hacéis descuento si apunto a mis dos hijos?', 'hermanos'],
  ['¿Hay rebaja para hermanos?', 'hermanos'], ['¿Cómo se paga?', 'pago'], ['¿Me lo pasáis por el banco?', 'pago'], ['¿Cuánto dura cada clase?', 'duracion'],
  ['¿Con qué edad puede empezar mi hija el violín?', 'edad'], ['Mi hijo tiene 4 años, ¿hay algo para él?', 'iniciacion'], ['¿Soy mayor para empezar a tocar?', 'adultos'],
  ['Tengo 50 años y no sé leer partituras', 'adultos'], ['¿Se puede probar antes de apuntarse?', 'prueba'], ['¿La primera es gratis?', 'prueba'],
  ['¿Cuántos aprueban para entrar al conservatorio?', 'conservatorio'], ['¿Hacéis conciertos de alumnos?', 'audiciones'], ['¿Es obligatorio tocar delante de gente?', 'audiciones'],
  ['¿Qué formación tienen los maestros?', 'profesores'], ['¿A qué hora cerráis?', 'horario'], ['¿Dais clase los sábados?', 'horario'], ['Si mi hijo se pone malo, ¿pierde la clase?', 'cambios'],
  ['¿Puedo dejarlo a mitad de curso?', 'baja'], ['¿Tenéis permanencia?', 'baja'], ['¿Hay que comprar el instrumento?', 'alquiler'], ['¿Puedo ensayar allí?', 'cabinas'],
  ['¿Qué hacéis en vacaciones para niños?', 'verano'], ['¿Se puede dar la clase desde casa?', 'online'], ['Voy en silla de ruedas, ¿puedo entrar?', 'accesible'],
  ['¿Enseñáis batería?'], ['¿Tenéis aparcamiento?'], ['¿Vendéis entradas para la ópera?'], ['¿Grabáis maquetas?'], ['¿Reparáis trompetas?'],
  ['¿Hay becas del ayuntamiento?'], ['¿Dais clases de baile?'], ['¿Cuál es la capital de Noruega?'], ['¿Alquiláis el local para bodas?'], ['¿Tenéis tienda de partituras?'],
];

// biome-ignore format: a table, a question a line
const fresh: Trade['fresh'] = [
  ['¿Cuánto se paga al mes por el violín?', 'individual'], ['¿Es caro el lenguaje musical?', 'grupo'], ['¿Cobráis algo al apuntarse?', 'matricula'], ['Somos tres en casa, ¿sale más barato?', 'hermanos'],
  ['¿Pasáis un recibo?', 'pago'], ['¿Desde cuándo puede tocar la guitarra un niño?', 'edad'], ['¿Hay clase para bebés mayores, de 3 años?', 'iniciacion'], ['¿Puedo ver una clase sin pagar?', 'prueba'],
  ['¿Los alumnos tocan en público?', 'audiciones'], ['¿Estáis abiertos por la mañana?', 'horario'], ['No puedo ir el jueves, ¿me cambiáis la hora?', 'cambios'], ['¿Me prestáis un violín?', 'alquiler'],
  ['¿Dais clases de dibujo?'], ['¿Cuánto cuesta afinar mi piano?'], ['¿Hay cafetería?'],
];

/** What an owner wrote after reading the studio's hints over the 40 questions: the customers' words, where they are true. */
const mended: Trade['mended'] = {
  matricula: 'La inscripción o matrícula se paga una vez por curso: 30 euros.',
  prueba: 'Puedes probar antes de apuntarte: la primera clase es gratuita y sin compromiso.',
  adultos:
    'Nadie es mayor para empezar a tocar: el 40 % de nuestro alumnado son adultos, y la mitad empezó sin saber leer partituras.',
  iniciacion: 'Si tu hijo tiene de 3 a 5 años, hay talleres de iniciación musical, acompañado de un familiar.',
  alquiler: 'No hay que comprar el instrumento: alquilamos violines y guitarras por 12 euros al mes.',
  grupo: 'El solfeo o lenguaje musical en grupo cuesta 32 euros mensuales.',
};

export const SCHOOL: Trade = { name: 'music school', claims, questions, fresh, mended };
