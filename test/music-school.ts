/** An invented music school, as its owner would hand it over: a FAQ page and a price list. Nothing of it exists. */
export const FAQ_PAGE = `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta property="og:site_name" content="Escuela Cadencia">
<meta name="description" content="Escuela de música en Soria para niños y adultos."><title>Preguntas</title></head><body>
<nav><a href="/">Inicio</a></nav><h1>Preguntas frecuentes</h1>
<h2>¿Cuánto dura una clase?</h2><p>La clase individual de instrumento dura 45 minutos, una vez por semana.</p>
<h2>¿Desde qué edad?</h2><p>Damos clase de instrumento a partir de 6 años. A los más pequeños les encanta cantar.</p>
<h2>¿Alquiláis instrumentos?</h2><p>Alquilamos violines y guitarras por 12 euros al mes.</p>
<h2>¿Puedo cancelar una clase?</h2><p>Recuperamos la clase si avisas 24 horas antes. No devolvemos el importe de las clases a las que no vienes.</p>
</body></html>`;

export const PRICE_LIST = [
  { text: 'Tarifas del curso', size: 18 },
  { text: 'La clase individual de piano, violín o guitarra cuesta 68 euros al mes.' },
  { text: 'El coro infantil es gratuito para los alumnos de instrumento.' },
  { text: 'La matrícula cuesta 30 euros y se paga una vez por curso.' },
  { text: 'Nos vemos en clase.' },
] as const;
