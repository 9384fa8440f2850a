import type { Claim } from '../../brand/profile/schema.ts';
import { attributes, cspHash, html, Markup } from '../../discovery/look/html.ts';
import { STYLE } from '../../discovery/look/style.ts';
import { themeRules } from '../../discovery/look/theme.ts';
import { claimArticle } from '../../discovery/pages/claim.ts';
import { MAX_QUERY } from '../../tools/fields/fields.ts';
import { messagesOf } from '../../tools/language/language.ts';
import type { Finding } from '../check/check-profile.ts';
import type { Explained, Explanation, LiveDraft, Questions } from './draft.ts';
import type { Marker } from './marker.ts';
import { type PreviewWords, previewWords } from './words.ts';

const OWN_STYLE = `
.findings{margin:1rem 0 0;padding:0;list-style:none;font-size:.95rem}.findings li{border-left:3px solid var(--line);padding:.2rem 0 .2rem .8rem;margin:.5rem 0;overflow-wrap:anywhere}
.ask+div{margin-top:1.5rem}.findings>:first-child{margin-top:0}
.findings .fault{border-color:var(--warn)}.findings .fault strong{color:var(--warn)}
.scores{width:100%;max-width:32rem;border-collapse:collapse;font-size:.9rem;margin:1rem 0}.scores th{text-align:left;font-weight:400;padding:.15rem 1rem .15rem 0}.scores td{padding:.15rem .5rem .15rem 0}.scores svg{width:100%;min-width:5rem;height:.5rem;background:var(--line);fill:var(--accent)}
mark{background:none;color:inherit;font-weight:700;text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:.15em}
.body code{overflow-wrap:anywhere}`;

const SCRIPT = `
const main=document.querySelector('main');
const styled=document.querySelector('style').outerHTML;
const refresh=async()=>{
  const text=await (await fetch(location.href)).text();
  if(!text.includes(styled))return location.reload();
  const page=new DOMParser().parseFromString(text.replace(styled,''),'text/html'),typed=document.getElementById('q')?.value;
  main.replaceChildren(...page.querySelector('main').childNodes);
  if(typed!==undefined)document.getElementById('q').value=typed;
  main.dataset.version=Number(main.dataset.version||0)+1;
};
document.addEventListener('submit',async event=>{
  event.preventDefault();
  history.replaceState(null,'',event.target.action+'?'+new URLSearchParams(new FormData(event.target)));
  await refresh();
  document.getElementById('q').focus();
});
new EventSource('/events').onmessage=refresh;
`;

const styleOf = ({ draft }: LiveDraft) => themeRules(draft.colors) + STYLE + OWN_STYLE;

/** Lets in what the page brings with it, and nothing of another origin. */
export const previewPolicy = (live: LiveDraft): string =>
  [
    "default-src 'none'",
    `style-src ${cspHash(styleOf(live))}`,
    `script-src ${cspHash(SCRIPT)}`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The draft as a page: what is wrong, a box to ask, the result of one's own questions, and every claim as visitors will see it. */
export function previewPage(file: string, live: LiveDraft, explanation: Explanation | undefined): string {
  const { draft, report } = live;
  const words = previewWords(draft.language);
  const general = [...report.faults, ...report.warnings].filter(({ path }) => !/^claims\[\d+\]/.test(path));
  return html`<!doctype html>
<html lang="${messagesOf(draft.language).tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}: ${file}</title>
<link rel="icon" href="data:,">
<style>${new Markup(styleOf(live))}</style>
</head>
<body>
<main>
<div class="hero"><h1>${words.title}</h1><p class="lead">${words.lead}</p>
<p><strong>${file}</strong>: ${words.counts(report.claims, report.faults.length, report.warnings.length)}</p></div>
${section(words.ask.title, askBox(words, live, explanation))}
${general.length > 0 && section(words.general, findings(words, live, general))}
${live.questions && section(words.questions.title, questionsView(words, live.questions))}
${section(words.claims, claims(words, live))}
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;
}

const section = (title: string, body: Markup) =>
  html`<section><h2>${title}</h2><div class="body">${body}</div></section>`;

function findings(words: PreviewWords, { report }: LiveDraft, list: readonly Finding[]): Markup {
  return html`<ul class="findings">${list.map(finding => {
    const isFault = report.faults.includes(finding);
    const member = finding.path.replace(/^claims\[\d+\]\.?/, '');
    return html`<li${attributes({ class: isFault && 'fault' })}><strong>${isFault ? words.fault : words.warning}</strong>, ${words.line} ${finding.line}${member !== '' && html`, <code>${member}</code>`}: <span lang="en">${finding.message}${finding.fix !== undefined && html` (${finding.fix})`}</span></li>`;
  })}</ul>`;
}

function claims(words: PreviewWords, live: LiveDraft): Markup {
  const whole = new Map(live.draft.claims.map(({ at, part }) => [at, part]));
  const shown = live.draft.claimIds.map((id, at) => {
    const claim = whole.get(at);
    const view = claim ? claimView(live, claim) : html`<p class="note">${words.broken}</p>`;
    const list = live.findingsOf(at);
    return html`<div class="claim"><h3>${id ?? `claims[${at}]`}</h3>${view}${list.length > 0 && findings(words, live, list)}</div>`;
  });
  return html`<div class="claims">${shown}</div>`;
}

function claimView({ draft, proofsOf }: LiveDraft, claim: Claim): Markup {
  return claimArticle({ words: messagesOf(draft.language), profile: draft }, { ...claim, proofs: proofsOf(claim) });
}

function askBox(words: PreviewWords, live: LiveDraft, explanation: Explanation | undefined): Markup {
  const { label, button, none } = words.ask;
  return html`<form class="ask" action="/" method="get"><div><label for="q">${label}</label><input id="q" name="q" maxlength="${MAX_QUERY}" value="${explanation?.query ?? ''}"></div><button>${button}</button></form>
<div id="answer" aria-live="polite">${explanation && (explanation.matches.length === 0 ? html`<p>${none}</p>` : explanationView(words, live, explanation))}</div>`;
}

function explanationView(words: PreviewWords, live: LiveDraft, { matches, level, mark }: Explanation): Markup {
  return html`<p class="note">${words.level(number(level))}</p>
<div class="claims">${matches.map(
    match => html`<div class="claim"><h3>${match.claim.claim_id}</h3>
<p class="statement">${marked(mark, match.claim.statement)}</p>
<p>${marked(mark, match.claim.boundary.applicable_for)}</p><p class="note">${marked(mark, match.claim.boundary.not_applicable_for)}</p>
${scores(words, match)}
<details><summary>${messagesOf(live.draft.language).match.proofs(match.proofs.length)}</summary>${claimView(live, match.claim)}</details></div>`,
  )}</div>`;
}

const marked = (mark: Marker, text: string): Markup[] =>
  mark(text).map(piece => (piece.matched ? html`<mark>${piece.text}</mark>` : html`${piece.text}`));

const SCORES = ['similarity', 'meaning', 'late', 'lexical', 'score'] as const;

function scores(words: PreviewWords, { scored }: Explained): Markup {
  return html`<table class="scores">${SCORES.map(name => {
    const width = Math.round(Math.max(0, Math.min(1, scored[name])) * 100);
    return html`<tr><th scope="row">${words.scores[name]}</th><td>${number(scored[name])}</td><td><svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="5"/></svg></td></tr>`;
  })}</table>`;
}

function questionsView({ questions: words }: PreviewWords, questions: Questions): Markup {
  if ('fault' in questions) return html`<p class="error">${questions.fault}</p>`;
  const { recall1, recall3, mrr, answerable } = questions.figures;
  const share = (estimate: { value: number } | undefined) => number(estimate?.value ?? 0);
  return html`<p>${words.figures(share(recall1), share(recall3), share(mrr), answerable)}</p>
${questions.worst.length === 0 && html`<p>${words.good}</p>`}
${questions.worst.map(({ question, ranking, similarity }) => html`<div class="claim"><p><strong>${question.query}</strong></p><dl class="facts"><div><dt>${words.wanted}</dt><dd>${question.relevant.join(', ') || words.nothing}</dd></div><div><dt>${words.came}</dt><dd>${ranking[0]} (${number(similarity)})</dd></div></dl></div>`)}`;
}

const number = (value: number) => value.toFixed(2);
