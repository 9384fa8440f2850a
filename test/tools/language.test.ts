import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitText } from '../../tools/words/counts.ts';
import { en } from '../../tools/words/en.ts';
import { es } from '../../tools/words/es.ts';
import { messagesOf, visitorMessages } from '../../tools/words/language.ts';

describe('the language of a visitor', () => {
  const chosen = (lang: string | null, accept?: string, own = es) => visitorMessages(lang, accept, own).tag;

  it('is ?lang= first, then Accept-Language by its qualities, then the brand’s own', () => {
    assert.equal(chosen('en', 'es'), 'en');
    assert.equal(chosen(null, 'de, en-GB;q=0.8, es;q=0.9'), 'es');
    assert.equal(chosen(null, 'en-US,en;q=0.9'), 'en');
    assert.equal(chosen('xx', 'EN'), 'en');
    for (const accept of [undefined, '', '*', 'de', ';;,,', 'q=1'])
      assert.equal(chosen(null, accept, en), 'en');
    for (const accept of [undefined, '*', 'en;q=0', 'en;q=nonsense'])
      assert.equal(chosen(null, accept), 'es');
  });

  it('falls back to Spanish for a profile in a language that is not spoken here', () => {
    assert.deepEqual(
      [messagesOf('de').tag, messagesOf('en-IE').tag, messagesOf(undefined).tag],
      ['es', 'en', 'es'],
    );
  });
});

describe('the reply time', () => {
  it('is Spanish where Node brings English alone, as that of Alpine: the contract has it in its message', t => {
    const { NumberFormat } = Intl;
    t.mock.method(Intl, 'NumberFormat', function english(_locale: string, options: Intl.NumberFormatOptions) {
      return new NumberFormat('en', options);
    });
    assert.match(es.reply(48), /en un plazo de 48 horas\./);
    assert.match(es.mail.promise(1), /en un plazo de 1 hora\./);
  });
});

describe('a wait', () => {
  it('is told in minutes or hours, rounded up, one and many', () => {
    const waits = [0, 60, 61, 3600, 7200, 7201].map(seconds => waitText('es-ES', seconds));
    assert.deepEqual(waits, ['1 minuto', '1 minuto', '2 minutos', '60 minutos', '2 horas', '3 horas']);
    assert.equal(waitText('en-GB', 60), '1 minute');
  });
});
