/** Rules of every page and of /embed.js: system fonts, one scale of sizes, readable from the width of a phone on. */
export const STYLE = `
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}*{transition:none!important}}
body,:host{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
:host{display:block;background:none}
.bar,main{max-width:68rem;margin:0 auto;padding:0 1.5rem}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:center;justify-content:space-between;padding-top:1.4rem;padding-bottom:1.4rem}
.brand{font:600 1.2rem/1.2 var(--serif);color:var(--ink);text-decoration:none;min-height:1.5rem;display:inline-flex;align-items:center}
.brand img{display:block;height:2.2rem;max-width:14rem;object-fit:contain}
:root,:host{--serif:ui-serif,"Iowan Old Style",Palatino,Georgia,"Times New Roman",serif}
nav{display:flex;flex-wrap:wrap;gap:.3rem clamp(1.1rem,3vw,1.6rem);font-size:.95rem}
nav a{color:var(--ink);text-decoration:none;padding:.2rem 0}nav a:hover,.brand:hover{color:var(--accent)}
h1,h2,h3{font-family:var(--serif);font-weight:600;line-height:1.18;letter-spacing:-.012em;text-wrap:balance;margin:0}
h1{font-size:clamp(2.4rem,6vw,3.8rem)}
h2{font-size:1.6rem}
h3{font-size:1.2rem}
p{margin:0 0 1rem;max-width:42rem}
.hero{padding:clamp(2.5rem,8vh,5.5rem) 0 clamp(2rem,6vh,4rem)}
.hero p{margin:1.2rem 0 0}
.lead{font-size:1.2rem;line-height:1.55;color:var(--soft)}
.note{color:var(--soft);font-size:.95rem}
a{color:var(--accent);text-underline-offset:.18em}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:.1rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem 1rem}
section{border-top:1px solid var(--line);padding:3rem 0 3.5rem;display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem 3.5rem}
section>h2{scroll-margin-top:1rem}
section.plain{grid-template-columns:minmax(0,48rem)}
@media(min-width:60rem){section:not(.plain){grid-template-columns:13rem minmax(0,1fr)}section>h2{grid-row:1}}
.body>:last-child{margin-bottom:0}
.ask{display:flex;flex-wrap:wrap;gap:.8rem;align-items:end}.ask>div{flex:1 1 18rem}.ask button{margin:0}
.fields{display:grid;gap:1.3rem 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))}
.wide{grid-column:1/-1}
label{display:block;font-weight:600;font-size:.95rem;margin-bottom:.35rem}
input,textarea{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.3rem;padding:.65rem .8rem}
textarea{min-height:9rem;resize:vertical;display:block}
[aria-invalid=true]{border-color:var(--warn);border-width:2px}
.error{color:var(--warn);font-size:.92rem;margin:.35rem 0 0}
::placeholder{color:var(--soft);opacity:1}:placeholder-shown{text-overflow:ellipsis}
.check{display:flex;gap:.7rem;align-items:start;margin-top:1.3rem}.check input{width:1.2rem;height:1.2rem;flex:none;margin:.2rem 0 0;accent-color:var(--accent)}.check label{font-weight:400;margin:0}
button,.button{display:inline-block;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.3rem;padding:.68rem 1.5rem;margin-top:1.5rem;cursor:pointer;text-decoration:none}
button:hover,.button:hover{text-decoration:underline}button:disabled{opacity:.55;cursor:progress}
.trap{position:absolute;left:-99rem}
.claims{margin-top:2rem}
.claim{border-top:1px solid var(--line);padding:1.8rem 0}
.claim:first-child{border-top:0;padding-top:0}.claim:last-child{padding-bottom:0}
.statement{font:1.25rem/1.5 var(--serif);margin:0 0 1.2rem;max-width:44rem}
.figure+.statement{margin-top:0}
.figure{font:600 2.6rem/1 var(--serif);color:var(--accent);margin:0 0 .9rem;letter-spacing:-.02em}
.figure small{font:.95rem/1.3 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--soft);letter-spacing:0;margin-left:.5rem}
dl{margin:0;font-size:.95rem;line-height:1.55}dt{font-weight:600}dd{margin:0;color:var(--soft)}
.pairs{display:grid;gap:1rem 2.2rem;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr))}
.facts{display:flex;flex-wrap:wrap;gap:.2rem 2rem;margin:1.2rem 0 0;font-size:.9rem}.facts div{display:flex;gap:.5rem}
details{margin-top:1.2rem}summary{cursor:pointer;color:var(--accent);font-size:.95rem;width:fit-content}
.proof{border-left:2px solid var(--line);padding:.1rem 0 .1rem 1.1rem;margin:1rem 0 0;font-size:.95rem}.proof p{margin:.2rem 0}
.closeness{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .8rem;margin:1.1rem 0 0;font-size:.9rem;color:var(--soft)}
.closeness svg{width:7rem;height:.35rem;border-radius:.2rem;background:var(--line);fill:var(--accent)}
.answer:not(:empty){margin-top:3rem}.answer h2{margin-bottom:1.2rem;font-size:1.9rem}.answer>details,.answer>.note{border-top:1px solid var(--line);padding-top:1.4rem;margin-top:1.8rem}
.problem{border-left:3px solid var(--warn);padding:.2rem 0 .2rem 1.2rem;margin:0 0 2rem}.problem p:last-child,.problem ul{margin-bottom:0}.problem ul{padding-left:1.1rem;margin-top:0}.hero nav{margin-top:1.4rem}
.reference{font:600 1.3rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code,pre{font:.9em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:.3rem;padding:1rem;overflow-x:auto;margin:0 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.93rem;line-height:1.5}.scroll{overflow-x:auto;margin-bottom:1rem}
th,td{text-align:left;vertical-align:top;padding:.55rem 1rem .55rem 0;border-bottom:1px solid var(--line)}td code{overflow-wrap:normal}td:first-child code{white-space:nowrap}
.call{border-top:1px solid var(--line);padding:1.6rem 0}.call h3{margin-bottom:.8rem}.call pre{max-height:26rem;overflow:auto;margin-bottom:.4rem}
.copy{margin:0 0 1rem;padding:.25rem .8rem;font-size:.85rem;background:none;color:var(--accent)}.try{margin-top:1rem}.try pre{margin-top:1rem}.search{margin-top:2rem;max-width:26rem}[hidden]{display:none!important}
footer{width:calc(100% - 3rem);max-width:65rem;margin:0 auto;border-top:1px solid var(--line);padding:2rem 0 4rem;font-size:.92rem;color:var(--soft)}
footer p{max-width:none}
@media print{nav,form,button,.skip,.trap{display:none}body{font-size:11pt;background:#fff;color:#000}section{break-inside:avoid;padding:1rem 0}a{color:inherit}}
`;
