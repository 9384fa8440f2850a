import { namesOf } from '../../brand/profile/profile.ts';
import { type Answer, BOUNDARY_SPEAKS, type Match } from '../../brand/retrieval/brand.ts';
import { quantityAsked, quantityOf } from '../../brand/retrieval/quantity.ts';
import { questionsIn } from '../../brand/retrieval/question.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { asksAboutBrand, asksForPerson } from '../../brand/retrieval/usual-questions.ts';
import { formRoutesOf } from '../../rest/forms.ts';
import type { Site } from '../documents/site.ts';
import { contactTeam, neighbours } from './ask.ts';
import { claimArticle, claimLine, issued, localeOf, part, publishes } from './claim.ts';
import { inLanguage } from './frame.ts';
import { attributes, copyButton, html, type Markup } from './html.ts';

/** What the profile says to a question: one claim in full, others by their words; where there is none, the way to a person. */
export function answerView(site: Site, answer: Answer): Markup {
  const names = site.profile ? namesOf(site.profile) : [];
  if (asksForPerson(answer.query, names))
    return section(html`<h1 class="verdict">${site.words.ask.person}</h1>${contactTeam(site, answer.query)}`);
  const isAbout = asksAboutBrand(answer.query, names);
  const fitting = answer.matches.filter(({ similarity }) => bandOf(similarity) !== 'possible');
  const [best] = fitting;
  const full = isAbout ? [] : fitting.slice(0, answersIn(answer, fitting));
  const further = fitting.slice(full.length);
  const shown = isAbout
    ? aboutView(site)
    : best
      ? claimView(site, answer, best, full.slice(1))
      : emptyView(site, answer);
  return section(
    shown,
    html`${lines(site, site.words.ask.more, further)}${neighbours(site, best ? [best] : [])}`,
  );
}

/** How many claims stand in full: the best, and of two questions in one the one that answers the other. */
function answersIn({ query }: Answer, fitting: readonly Match[]): number {
  const isTwo =
    questionsIn(query).length > 1 &&
    fitting.slice(0, 2).every(({ similarity }) => bandOf(similarity) === 'answers');
  return isTwo ? 2 : 1;
}

const section = (shown: Markup, beside?: Markup): Markup =>
  html`<section class="plain beside"><div class="answer core" id="answer">${shown}</div>
${beside && beside.text !== '' && html`<div class="core">${beside}</div>`}</section>`;

function claimView(
  site: Site,
  { query, [BOUNDARY_SPEAKS]: speaks }: Answer,
  best: Match,
  others: readonly Match[],
): Markup {
  const { ask } = site.words;
  const answers = bandOf(best.similarity) === 'answers';
  const quantities = new Set(questionsIn(query).map(quantityAsked));
  const withFigure = ({ metric }: Match) =>
    answers && metric !== undefined && quantities.has(quantityOf(metric));
  const verdict = speaks ? limit(site, best) : answers ? ask.answers : ask.nearest;
  const kind = ['verdict', !answers && 'near', speaks && 'out'].filter(Boolean).join(' ');
  return html`<h1 class="${kind}">${verdict}</h1>
${claimArticle(site, best, speaks ? { speaks: 'not_applicable_for' } : { withFigure: withFigure(best) })}
${others.map(other => claimArticle(site, other, { withFigure: withFigure(other) }))}
${provenance(site, query)}
${answers && !speaks ? nextStep(site, query) : otherwise(site, query)}`;
}

/** What a limit means, in a few words, before the owner's own: an exception is decided case by case. */
const limit = ({ words: { ask } }: Site, { boundary }: Match): string =>
  /caso por caso|case by case|como excepción|as an exception/i.test(boundary.not_applicable_for)
    ? ask.caseByCase
    : ask.excluded;

/** What the brand offers first, with the question carried along. */
function nextStep(site: Site, query: string): Markup | false {
  const [route] = formRoutesOf(site.tools);
  if (!route) return false;
  const path = inLanguage(site, `${route.path}?context=${encodeURIComponent(query)}`);
  return html`<p class="next"><a class="button" href="${path}">${route.action.wordsIn(site.words).title}</a></p>`;
}

function otherwise(site: Site, query: string): Markup | false {
  const contact = contactTeam(site, query);
  return contact && html`<details><summary>${site.words.ask.contact.other}</summary>${contact}</details>`;
}

/** Nothing fits: the way to a person, and what comes nearest in one line each. */
function emptyView(site: Site, { query, matches }: Answer): Markup {
  const { ask } = site.words;
  return html`<h1 class="verdict none">${ask.none}</h1>${contactTeam(site, query)}${lines(site, ask.close, matches.slice(0, NEAR))}`;
}

/** Claims that are named where none answers. */
const NEAR = 2;

/** The signed description, for who asks what the brand does. */
function aboutView(site: Site): Markup {
  const { words, profile, brandName } = site;
  return html`<h1 class="verdict">${words.ask.whatWeDo}</h1>
<article class="claim"><p class="statement"${part(site, 'description')}>${profile?.description ?? brandName}</p></article>${provenance(site, brandName)}`;
}

const lines = (site: Site, title: string, matches: readonly Match[]): Markup | false =>
  matches.length > 0 &&
  html`<div class="further"><p class="eyebrow">${title}</p>${matches.map(match => claimLine(site, match))}</div>`;

/** Where the words come from, how to check that here, and the address of the answer. */
function provenance(site: Site, query: string): Markup {
  const { words, baseUrl, signed } = site;
  const [before = '', after = ''] = words.ask.verbatim('{}').split('{}');
  const link = `${baseUrl}/ask?q=${encodeURIComponent(query)}`;
  return html`<div class="said"><span>${before}${issued(site)}${after}</span>${signed && checkButton(site, words.verify.checkHere, true)}${copyButton(link, words.ask)}<span role="status"></span></div>${publishes(site)}`;
}

/** The button that compares the page with the profile (client/check.js), with the words that it needs. */
export function checkButton(site: Site, text: string, isQuiet = false): Markup {
  const { busy, good, bad, differs, was, should, translated, restyled, expired, unable, unread } =
    site.words.verify;
  const { low, disclosure } = site.words.match;
  const words = {
    ...{ busy, good, bad, differs, was, should, translated, restyled, expired, unable, unread },
    ...{ low, disclosure, locale: localeOf(site.words) },
  };
  const own = { 'data-check': JSON.stringify(words), type: 'button', class: isQuiet && 'quiet' };
  return html`<button${attributes(own)}>${text}</button>`;
}
