/**
 * Rules of every page and of the elements of /embed.js: fonts of the system, one scale of sizes on a grid of 8 px, sections that
 * differ by their surface. Sizes are in rem, which /embed.js turns into pixels.
 */
export const STYLE = `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
:host{all:initial;display:block;color-scheme:inherit}.aval{all:initial;color-scheme:inherit;display:block;direction:ltr;--density:var(--aval-density,1);max-width:46.5rem;border-radius:var(--round);padding:var(--aval-space,1.25rem)}:root{--density:1}
:root,.aval{--sans:-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;--round:.625rem}
body,.aval{margin:0;background:var(--paper);color:var(--ink);font:400 1.0625rem/1.6 var(--sans);overflow-wrap:anywhere}
.aval{--sans:var(--aval-font,-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif);--round:var(--aval-radius,.625rem);background:var(--card)}.aval .claim,.aval .panel{border:0;padding:0;background:none}.aval h1{font-size:1.5rem;letter-spacing:-.02em;margin:1.5rem 0 .6rem}.aval h1:first-child{margin-top:0}.aval .core+.core{margin-top:1.5rem}.aval .core:empty{display:none}
body{display:flex;flex-direction:column;min-height:100vh}main{flex:1}main:focus{outline:0}
.bar,.hero,section,.foot{padding-inline:max(1.25rem,calc(50% - 33rem))}
.bar{display:flex;flex-wrap:wrap;gap:.4rem 2rem;align-items:center;justify-content:space-between;padding-block:1rem}
.brand{display:inline-flex;align-items:center;gap:.65rem;min-height:2.25rem;font-weight:650;letter-spacing:-.01em;color:var(--ink);text-decoration:none}
.brand svg{width:2rem;height:2rem;flex:none}
.brand img{display:block;height:2.25rem;max-width:14rem;object-fit:contain}
@media screen and (prefers-color-scheme:dark){.plate{background:#fff;border-radius:.375rem;padding:.3rem .5rem}}
nav{display:flex;flex-wrap:wrap;gap:0 clamp(.8rem,2vw,1.5rem);font-size:clamp(.88rem,2.4vw,.95rem)}
nav a,.foot a{color:var(--ink);text-decoration:none;padding:.35rem 0}nav a:hover,.foot a:hover,.brand:hover span{text-decoration:underline}
h1,h2,h3{font-weight:700;line-height:1.15;letter-spacing:-.022em;text-wrap:balance;margin:0}
h1{font-size:clamp(2.15rem,5.2vw,3.4rem);letter-spacing:-.035em;line-height:1.06}
h2{font-size:1.6rem}h3{font-size:1.125rem;letter-spacing:-.01em}
p{margin:0 0 1rem;max-width:42rem}
.hero{padding-block:clamp(1.75rem,6vh,4rem) clamp(2rem,6vh,4rem);background:var(--sunken)}
.hero>*{max-width:44rem}.hero h1+*{margin-top:1rem}.hero>.core{margin-top:1.75rem}.hero.small{padding-block:1.25rem 1.5rem}.hero.small>.core{margin:0}.hero:has(+.plain){padding-bottom:1.5rem}
.lead{font-size:1.19rem;line-height:1.5;color:var(--soft)}
.note{color:var(--soft);font-size:.92rem}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
h2:focus,h1:focus{outline:0}
.skip{position:absolute;left:1rem;top:-9rem}.skip:focus{top:.5rem;background:var(--card);padding:.5rem 1rem;z-index:1}
section{padding-block:clamp(2.5rem,6vh,4.5rem);display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem 4rem}
section.tinted{background:var(--sunken)}
section>h2{scroll-margin-top:1rem}section>*{min-width:0}
section.plain>*{max-width:44rem}.hero+.plain{padding-top:clamp(1.5rem,4vh,2.5rem)}.hero+.plain>.aside{max-width:none}@media(min-width:60rem){section.beside{grid-template-columns:minmax(0,44rem) minmax(0,1fr);gap:3rem}}
@media(min-width:60rem){section:not(.plain){grid-template-columns:15rem minmax(0,1fr)}}
.body>:last-child{margin-bottom:0}.aside>:first-child{margin-top:0}.aside p{margin:.75rem 0 0}
.ask{display:flex;flex-wrap:wrap;gap:.375rem;background:var(--card);border:1px solid var(--soft);border-radius:var(--round);padding:.375rem;transition:border-color .15s,box-shadow .15s}
.ask:focus-within{border-color:var(--accent);box-shadow:0 0 0 3px var(--tint)}
.ask input{flex:999 1 13rem;border:0;background:none;padding:.6rem .75rem;font-size:1.125rem;min-width:0}.ask input:focus{outline:0}
.ask button{flex:1 0 auto;margin:0}.ask>div{flex:999 1 13rem}.small .ask input{flex-basis:9rem}
.over{display:block;margin-bottom:.4rem}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;margin:.9rem 0 0;padding:0;list-style:none}
.chips a{display:block;padding:.42rem .85rem;border-radius:2rem;background:var(--tint);color:var(--ink);text-decoration:none;font-size:.95rem;line-height:1.35;transition:background .15s}
.chips a:hover{background:var(--line)}.hero .chips a{background:var(--card)}.hero .chips a:hover{background:var(--tint)}
.eyebrow{margin:0 0 .6rem;font-size:.85rem;font-weight:600;color:var(--soft)}
label{display:block;font-weight:600;font-size:.95rem;margin-bottom:.35rem}
input,textarea{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:min(.5rem,var(--round));padding:calc(.6rem*var(--density)) .75rem;transition:border-color .15s}
input:hover,textarea:hover{border-color:var(--ink)}
textarea{min-height:8rem;resize:vertical;display:block;field-sizing:content;max-height:24rem}
::placeholder{color:var(--soft);opacity:1}
.fields{display:grid;gap:calc(1.1rem*var(--density));grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr))}.fields>:not(.half){grid-column:1/-1}
.panel{background:var(--card);border:1px solid var(--line);border-radius:var(--round);padding:clamp(1.1rem,3.5vw,2rem);max-width:44rem}
.help{color:var(--soft);font-size:.9rem;margin:.35rem 0 0}
[aria-invalid=true]{border-color:var(--warn);box-shadow:0 0 0 1px var(--warn)}
.error{color:var(--warn);font-size:.92rem;font-weight:600;margin:.35rem 0 0}
.check{display:flex;gap:.7rem;align-items:start;margin-top:1.1rem}.check input{width:1.25rem;height:1.25rem;flex:none;margin:.15rem 0 0;accent-color:var(--accent)}.check label{font-weight:400;margin:0}
button,.button{display:inline-block;font:inherit;font-weight:600;line-height:1.4;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:min(.5rem,var(--round));padding:calc(.62rem*var(--density)) 1.3rem;margin-top:calc(1.4rem*var(--density));cursor:pointer;text-decoration:none;text-align:center;transition:filter .15s,opacity .15s}
button:hover,.button:hover{text-decoration:underline;text-underline-offset:.2em}button:active{filter:brightness(.92)}button:disabled{opacity:.7;cursor:progress}
[aria-busy=true]>button::after,button[aria-busy=true]::after{content:"";display:inline-block;width:.8em;height:.8em;margin-left:.6em;border:2px solid;border-right-color:transparent;border-radius:50%;vertical-align:-.08em;animation:turn .8s linear infinite}
.quiet,.copy{margin:0;padding:.1rem 0;border:0;border-radius:.2rem;background:none;color:var(--accent);font-weight:400;font-size:inherit;text-decoration:underline;text-underline-offset:.18em}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
[hidden]{display:none!important}
.answer{scroll-margin-top:1rem}.answer>*{animation:rise .17s ease-out}
.answer>h1,.answer>h2{letter-spacing:-.025em;font-size:clamp(1.4rem,3.4vw,1.9rem);margin-bottom:.9rem}
.verdict{display:flex;gap:.6rem;align-items:baseline;font-weight:600;margin-bottom:1rem}
.verdict::before{content:"";flex:none;width:.7rem;height:.7rem;border-radius:50%;background:var(--accent)}
.verdict.near::before{background:none;border:2px solid var(--accent)}.verdict.none::before{height:.15rem;border-radius:0;background:var(--soft);align-self:center}
.claims{display:grid;gap:1.25rem}
.claim{background:var(--card);border:1px solid var(--line);border-radius:var(--round);padding:clamp(1.1rem,3vw,1.75rem);scroll-margin-top:1rem}
.claim:target{border-color:var(--accent);box-shadow:0 0 0 3px var(--tint)}
.tinted .claim,.tinted .panel{border-color:transparent}
.statement{font-size:1.25rem;line-height:1.45;letter-spacing:-.008em;margin:0 0 1.1rem}
.figure{font-weight:700;font-size:clamp(2.4rem,7vw,3.2rem);line-height:1;letter-spacing:-.035em;color:var(--accent);margin:0 0 .7rem;font-variant-numeric:tabular-nums}
.figure small{font-size:1rem;font-weight:400;letter-spacing:0;color:var(--soft)}
dl{margin:0;font-size:.95rem;line-height:1.5}dt{font-weight:600}dd{margin:0}
.pairs{display:grid;gap:.625rem;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr))}
.pairs>div{background:var(--sunken);border-radius:.5rem;padding:.8rem .95rem}.tinted .pairs>div,.aval .pairs>div{background:var(--tint)}
.pairs dt::before{content:"✓";margin-right:.45rem;color:var(--accent)}.pairs .not dt::before{content:"✕";color:var(--warn)}
.measured{margin:.9rem 0 0;font-size:.95rem;color:var(--soft)}
details{margin-top:.9rem}summary{cursor:pointer;color:var(--accent);width:fit-content}summary:hover{text-decoration:underline}
.proof{border-left:3px solid var(--tint);padding-left:1rem;margin:.9rem 0 0;font-size:.95rem}.proof p{margin:.15rem 0}
.more{margin-bottom:1.75rem}.more .eyebrow{margin-bottom:.3rem}.more>details{margin:0;border-top:1px solid var(--line);padding:.8rem 0}.more>details>summary{width:auto;color:var(--ink);font-size:.97rem;line-height:1.5}.more>details[open]>summary{font-weight:600;margin-bottom:.8rem}
.said{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;align-items:baseline;margin:1rem 0 0;font-size:.9rem;color:var(--soft);max-width:none}.said>span{flex-basis:100%}.said>[role=status]:empty{display:none}
.contact{margin-top:1.25rem}.contact h2{margin-bottom:.3rem;font-size:1.2rem}.also{margin-top:1.75rem}
.problem{border-left:3px solid var(--warn);padding:.1rem 0 .1rem 1.1rem;margin:0 0 1.5rem}.problem ul{padding-left:1.1rem;margin:0}
.reference{font:600 1.75rem/1.3 var(--mono);letter-spacing:.02em}
.filter{max-width:30rem}.filter+.note{margin:.75rem 0 0}section.group{padding-block:1.25rem}.hero+.group{padding-top:2.5rem}.group h2{font-size:1.3rem}@media(min-width:60rem){.group .aside{position:sticky;top:1.5rem;align-self:start}}.core>h1{margin-bottom:.6rem}.core>.panel{margin-block:1.5rem}.core>h2{margin:2rem 0 .4rem}
.good{color:var(--accent);font-weight:600}#signature button{margin:0 0 1rem}
code,pre{font:.9em/1.55 var(--mono)}
pre{background:var(--sunken);border-radius:.5rem;padding:1rem;overflow-x:auto;margin:0 0 1rem;overflow-wrap:normal}
table{border-collapse:collapse;width:100%;font-size:.93rem;line-height:1.5}.scroll{overflow-x:auto;margin-bottom:1rem}
th,td{text-align:left;vertical-align:top;padding:.55rem 1rem .55rem 0;border-bottom:1px solid var(--line)}.scroll td{overflow-wrap:normal}.scroll td:first-child code{white-space:nowrap}
.call{padding:1.2rem 0}.call h3{margin-bottom:.8rem}.call pre{max-height:26rem;overflow:auto;margin-bottom:.4rem}
.copy{margin:0 0 1rem;font-size:.85rem}.try{margin-top:1rem}.try pre{margin-top:1rem}.search{margin-top:2rem;max-width:26rem}
.foot{padding-block:2rem 2.5rem;font-size:.92rem;color:var(--soft);display:flex;flex-wrap:wrap;gap:.2rem 1.6rem;border-top:1px solid var(--line)}
.foot strong{color:var(--ink);padding:.35rem 0}
@keyframes turn{to{transform:rotate(1turn)}}@keyframes rise{from{opacity:0;transform:translateY(4px)}}
@media(prefers-reduced-motion:reduce){*,::before,::after{transition:none!important;animation:none!important}}
@media print{nav,form,button,.skip,.trap,.chips,.foot{display:none}body{font-size:11pt;background:#fff;color:#000}.claim{break-inside:avoid;border-color:#999}details::details-content{content-visibility:visible}a{color:inherit}}
`;
