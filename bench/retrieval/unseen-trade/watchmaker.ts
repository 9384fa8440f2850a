import type { Trade } from './trade.ts';

/**
 * An invented workshop for watches and clocks, in Spanish. The questions were written first, as people ask at a counter, then the claims,
 * as a leaflet says things; `mended` follows the studio's hints word by word, and nobody looked at the fresh questions for it.
 */

// biome-ignore format: a table, a question a line
const questions: Trade['questions'] = [
  ['¿Cuánto vale cambiar la pila?', 'pila'], ['Se me ha parado el reloj, ¿cuánto me costaría arreglarlo?', 'revision'], ['¿Cobráis por mirarlo?', 'presupuesto'],
  ['¿Cuánto tardáis en una reparación?', 'plazo'], ['¿Me lo hacéis en el momento?', 'pila'], ['¿Arregláis relojes de pared?', 'pared'],
  ['Tengo un reloj de mi abuelo, ¿lo podéis restaurar?', 'antiguos'], ['¿Trabajáis con Rolex?', 'marcas'], ['¿Dais garantía?', 'garantia'],
  ['¿Y si se vuelve a estropear?', 'garantia'], ['¿Qué pasa si no acepto el precio?', 'presupuesto'], ['¿Me podéis cambiar la correa?', 'correas'],
  ['Se me ha rayado el cristal', 'cristal'], ['¿Puedo bañarme con él después de que lo abráis?', 'estanqueidad'], ['¿Cada cuánto hay que hacerle una revisión?', 'frecuencia'],
  ['¿Venís a casa a por un reloj de pie?', 'recogida'], ['¿Os lo puedo mandar por correo?', 'envio'], ['¿Quién paga el envío?', 'envio'],
  ['¿Usáis recambios originales?', 'piezas'], ['¿Compráis relojes de segunda mano?', 'compra'], ['¿Cuánto vale mi reloj?', 'tasacion'],
  ['¿Me hacéis un papel para el seguro?', 'tasacion'], ['¿A qué hora abrís?', 'horario'], ['¿Abrís en agosto?', 'horario'],
  ['¿Se puede pagar con tarjeta?', 'pago'], ['¿Hay que dejar señal?', 'pago'], ['¿Cuánto tiempo me lo guardáis?', 'custodia'],
  ['¿Quién hace las reparaciones?', 'equipo'], ['¿Podéis grabar un nombre?', 'grabado'], ['¿Me prestáis otro mientras tanto?', 'sustitucion'],
  ['¿Arregláis móviles?'], ['¿Vendéis anillos de boda?'], ['¿Arregláis gafas?'], ['¿Hacéis copias de llaves?'], ['¿Tenéis aparcamiento?'],
  ['¿Dais cursos de relojería?'], ['¿Arregláis cajas de música?'], ['¿Puedo pagarlo a plazos?'], ['¿Qué hora es en Tokio?'], ['¿Limpiáis joyas de plata?'],
];

// biome-ignore format: a table, a question a line
const fresh: Trade['fresh'] = [
  ['¿Qué me cobráis por una pila nueva?', 'pila'], ['¿Para cuándo estaría listo?', 'plazo'], ['¿Es gratis el presupuesto?', 'presupuesto'], ['Tengo un cuco que no anda', 'pared'],
  ['¿Arregláis un Omega?', 'marcas'], ['¿Cuánto dura la garantía?', 'garantia'], ['¿Ponéis pulseras de acero?', 'correas'], ['Le ha entrado agua', 'estanqueidad'],
  ['Vivo en otra provincia, ¿cómo os lo hago llegar?', 'envio'], ['¿Qué día cerráis?', 'horario'], ['¿Puedo pagar por Bizum?', 'pago'], ['Todavía no he ido a recogerlo, ¿lo perderé?', 'custodia'],
  ['¿Reparáis radios antiguas?'], ['¿Vendéis despertadores?'], ['¿Hacéis tatuajes?'],
];

// biome-ignore format: a table, a claim a line
const claims: Trade['claims'] = [
  ['pila', 'tarifas', 'La sustitución de la batería cuesta 12 euros y se hace en diez minutos.', 'Relojes de pulsera de cuarzo, sin cita.', 'Relojes de buceo, que pasan además la prueba de presión.'],
  ['revision', 'tarifas', 'La revisión completa de un mecanismo automático tiene un precio de 145 euros.', 'Relojes de pulsera con tres agujas y fecha.', 'Cronógrafos, desde 240 euros.'],
  ['presupuesto', 'normas', 'El diagnóstico se entrega por escrito en 48 horas y no tiene coste.', 'Cualquier pieza que se deje en el taller, se acepte o no el importe.', 'Piezas que hay que desmontar entero, con 20 euros si se rechaza.'],
  ['plazo', 'plazos', 'El 80 % de los encargos de 2025 se entregó en menos de tres semanas.', 'Revisiones y sustitución de piezas en existencias.', 'Restauraciones y piezas que se encargan a Suiza.'],
  ['pared', 'servicios', 'Ponemos en marcha péndulos, cucos y carillones.', 'Mecanismos de hasta 40 kilos, traídos al taller.', 'Relojes de torre.'],
  ['antiguos', 'servicios', 'Restauramos maquinaria anterior a 1950 y fabricamos la pieza que ya no existe.', 'Relojes de bolsillo y de sobremesa.', 'Cajas de madera, que derivamos a un ebanista.'],
  ['marcas', 'servicios', 'Atendemos todas las firmas suizas y japonesas, fuera de su garantía oficial.', 'Mecanismos automáticos, manuales y de cuarzo.', 'Relojes inteligentes.'],
  ['garantia', 'normas', 'Cada intervención está cubierta durante 24 meses.', 'El mecanismo revisado y las piezas puestas por el taller.', 'Golpes, agua y baterías.'],
  ['correas', 'tarifas', 'Tenemos 300 brazaletes de piel, caucho y acero, con la colocación incluida.', 'Anchos de 12 a 24 milímetros.', 'Brazaletes exclusivos de cada firma, por encargo.'],
  ['cristal', 'tarifas', 'Reponemos la lente mineral por 35 euros y la de zafiro por 90.', 'Relojes redondos de pulsera.', 'Lentes con forma, con diagnóstico previo.'],
  ['estanqueidad', 'servicios', 'Comprobamos la hermeticidad a 10 bares cada vez que se abre la caja.', 'Relojes sumergibles de fábrica.', 'Relojes antiguos sin juntas.'],
  ['frecuencia', 'consejos', 'Un mecanismo automático conviene engrasarlo cada cinco años.', 'Uso diario.', 'Cuarzo, que solo pide batería y juntas.'],
  ['recogida', 'servicios', 'Recogemos y devolvemos piezas grandes a domicilio por 60 euros.', 'Zamora y 30 kilómetros alrededor.', 'Relojes de pulsera.'],
  ['envio', 'servicios', 'Recibimos paquetes asegurados de toda España, con los portes de vuelta a nuestro cargo.', 'Encargos de más de 100 euros.', 'Canarias, Ceuta y Melilla, con porte del cliente.'],
  ['piezas', 'normas', 'Montamos únicamente componentes del fabricante o equivalentes suizos documentados.', 'Todas las intervenciones, con detalle en la factura.', 'Piezas hechas a mano para maquinaria sin repuesto.'],
  ['compra', 'compra', 'Adquirimos ejemplares usados con su documentación y pagamos en 24 horas.', 'Relojes mecánicos de más de 500 euros.', 'Imitaciones y piezas sin procedencia.'],
  ['tasacion', 'servicios', 'El informe de valor para herencias y aseguradoras cuesta 50 euros.', 'Un ejemplar por informe, entregado en una semana.', 'Lotes y colecciones, con precio aparte.'],
  ['horario', 'horarios', 'Atendemos de martes a sábado de 10 a 14 y de 17 a 20 horas.', 'Todo el año menos del 10 al 31 de agosto.', 'Sábados por la tarde, domingos y lunes.'],
  ['pago', 'normas', 'Se abona al recoger, en efectivo, con tarjeta o por Bizum, sin adelantos.', 'Encargos de menos de 300 euros.', 'Encargos mayores, con un 30 % al aceptar.'],
  ['custodia', 'normas', 'Conservamos los encargos terminados seis meses sin recargo.', 'Encargos avisados por teléfono o mensaje.', 'Después del sexto mes, con 5 euros mensuales.'],
  ['equipo', 'equipo', 'Dos maestros titulados con 22 años de oficio firman cada trabajo.', 'Todo lo que se hace en el taller.', 'El temple de muelles, que hace un proveedor.'],
  ['grabado', 'servicios', 'Hacemos inscripciones de hasta 20 letras en la tapa por 25 euros.', 'Tapas de acero, plata y oro.', 'Tapas transparentes.'],
  ['sustitucion', 'servicios', 'Dejamos un reloj de cortesía cuando la intervención pasa de un mes.', 'Encargos de más de 200 euros, con fianza.', 'Relojes de pared y de pie.'],
  ['residuos', 'normas', 'Reciclamos las baterías usadas en un punto autorizado.', 'Todas las que retiramos.', 'Las que traen los clientes en bolsas.'],
];

const mended: Trade['mended'] = {
  correas: 'Podéis cambiar la correa: tenemos 300 brazaletes de piel, caucho y acero, con la colocación incluida.',
  estanqueidad: 'Para que puedas bañarte con él, comprobamos la hermeticidad a 10 bares cada vez que se abre la caja.',
  envio:
    'Puedes mandarlo por correo: recibimos paquetes asegurados de toda España, con los portes de vuelta a nuestro cargo.',
  presupuesto: 'No cobramos por mirarlo: el diagnóstico se entrega por escrito en 48 horas y no tiene coste.',
  pila: 'La sustitución de la batería cuesta 12 euros y la hacemos en el momento, en diez minutos.',
  pared: 'Arreglamos y ponemos en marcha péndulos, cucos y carillones.',
  marcas: 'Trabajamos con Rolex y todas las firmas suizas y japonesas, fuera de su garantía oficial.',
  garantia: 'Damos garantía: cada intervención está cubierta durante 24 meses.',
};

export const WATCHMAKER: Trade = { name: 'watchmaker', claims, questions, fresh, mended };
