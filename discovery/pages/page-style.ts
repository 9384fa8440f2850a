/** The one style sheet of the pages: system fonts, two colour schemes, readable from the width of a phone on. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf7;--card:#fff;--ink:#1d252f;--soft:#57616e;--line:#dcd9d0;--accent:#0a5f57;--on-accent:#fff;--warn:#9b2c1d}
@media(prefers-color-scheme:dark){:root{--paper:#11151a;--card:#191f26;--ink:#e7eaee;--soft:#a3adb9;--line:#323b46;--accent:#7ad3c6;--on-accent:#0d1a19;--warn:#ff9d8c}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header.top,footer{max-width:46rem;margin:0 auto;padding:0 1.25rem}
header.top{padding-top:clamp(2.5rem,9vh,5.5rem)}
h1,h2{font-family:ui-serif,Georgia,"Times New Roman",serif;font-weight:600;line-height:1.15;letter-spacing:-.01em;text-wrap:balance}
h1{font-size:clamp(2.3rem,7vw,3.4rem);margin:0 0 1rem}
h2{font-size:1.75rem;margin:3.5rem 0 1rem}
h3{font-size:1.05rem;margin:2rem 0 .5rem}
p{margin:0 0 1rem}
.lead{font-size:1.2rem;line-height:1.55;color:var(--soft)}
.note{color:var(--soft);font-size:.95rem}
a{color:var(--accent);text-underline-offset:.18em}
nav{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;margin:1.5rem 0 0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
form,.claim{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.4rem;margin:1rem 0}
.fields{display:grid;gap:1.1rem;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr))}
.wide{grid-column:1/-1}
label{display:block;font-weight:600;font-size:.95rem;margin-bottom:.3rem}
input,textarea{width:100%;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:.45rem;padding:.6rem .75rem}
textarea{min-height:8.5rem;resize:vertical}
::placeholder{color:var(--soft);opacity:.85}
button{font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:0;border-radius:.45rem;padding:.7rem 1.4rem;margin-top:1.2rem;cursor:pointer}
button:hover{filter:brightness(1.1)}button:disabled{opacity:.55;cursor:progress}
.ask{display:flex;flex-wrap:wrap;gap:.7rem;align-items:end}.ask>div{flex:1 1 16rem}.ask button{margin:0}
output{display:block}output:not(:empty){margin-top:1.2rem}
output.bad{color:var(--warn)}
.claim p:last-child,.claim dl{margin-bottom:0}
dl{margin:0;font-size:.95rem;color:var(--soft)}dt{font-weight:600}dd{margin:0 0 .5rem}dd:last-child{margin:0}
.trap{position:absolute;left:-999rem}
.scroll{overflow-x:auto;margin-bottom:1rem}
table{border-collapse:collapse;width:100%;font-size:.95rem;line-height:1.5}
th,td{text-align:left;vertical-align:top;padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--line)}
code,pre{font:.9em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}td code{overflow-wrap:normal}td:first-child code{white-space:nowrap}
pre{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;overflow-x:auto}
footer{margin-top:4rem;padding-top:1.5rem;padding-bottom:3rem;border-top:1px solid var(--line);font-size:.95rem;color:var(--soft)}
`;
