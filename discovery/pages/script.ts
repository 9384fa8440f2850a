import { KEPT_WORDS, LABELS, RULES } from '../../rest/form-page.ts';
import { KEPT_HINT } from '../../tools/deliver.ts';

/**
 * What the page does where a browser runs scripts: shows answers as text, and sends the application as JSON. A repeat of
 * the same application carries the same Idempotency-Key, so an impatient second click sends nothing twice.
 */
export const HOME_SCRIPT = `
const LABELS=${JSON.stringify(LABELS)};
const RULES=${JSON.stringify(RULES.map(([{ source }, words]) => [source, words]))};
const KEPT=${JSON.stringify({ hint: KEPT_HINT, words: KEPT_WORDS })};
const element=(name,text)=>Object.assign(document.createElement(name),{textContent:text});
const say=(output,bad,...nodes)=>{output.className=bad?'bad':'';output.replaceChildren(...nodes)};
const inSpanish=issue=>{
  const [field,rule]=issue.split(/: (.*)/s);
  const found=RULES.find(([pattern])=>new RegExp(pattern).test(rule));
  return (LABELS[field]??field)+': '+(found?rule.replace(new RegExp(found[0]),found[1]):rule);
};
const busy=async(form,work)=>{
  const button=form.querySelector('button'),output=form.querySelector('output');
  button.disabled=true;
  try{await work(output)}catch{say(output,true,element('p','No hay conexión con el servidor. Vuelve a intentarlo en unos minutos.'))}
  button.disabled=false;
};
const refusal=(response,{code,hint,issues})=>{
  if(response.status===429)return [element('p','Demasiadas peticiones. Vuelve a intentarlo en '+response.headers.get('Retry-After')+' segundos.')];
  if(code==='validation_error')return [element('p','Faltan datos o alguno no es válido:'),...(issues??[]).map(issue=>element('p',inSpanish(issue)))];
  if(hint===KEPT.hint)return [element('p',KEPT.words)];
  return [element('p','No ha sido posible. Vuelve a intentarlo en unos minutos.')];
};
const claim=({statement,boundary})=>{
  const box=element('div','');box.className='claim';
  const list=element('dl','');
  list.append(element('dt','Se aplica a'),element('dd',boundary.applicable_for),element('dt','No se aplica a'),element('dd',boundary.not_applicable_for));
  box.append(element('p',statement),list);
  return box;
};
const ask=document.getElementById('ask'),partner=document.getElementById('partner');
ask.addEventListener('submit',event=>{
  event.preventDefault();
  busy(ask,async output=>{
    const response=await fetch(ask.action+'?'+new URLSearchParams(new FormData(ask)));
    const answer=await response.json();
    if(!response.ok)return say(output,true,...refusal(response,answer));
    const good=answer.matches.filter(({similarity})=>similarity>=0.4);
    say(output,false,...(good.length?good.map(claim):[element('p','No tenemos una respuesta a esa pregunta.')]));
  });
});
let sent={};
partner.addEventListener('submit',event=>{
  event.preventDefault();
  busy(partner,async output=>{
    const body=JSON.stringify(Object.fromEntries(new FormData(partner)));
    if(sent.body!==body)sent={body,key:globalThis.crypto.randomUUID?.()};
    const headers={'Content-Type':'application/json',...(sent.key&&{'Idempotency-Key':sent.key})};
    const response=await fetch(partner.action,{method:'POST',headers,body});
    const answer=await response.json();
    if(!response.ok)return say(output,true,...refusal(response,answer));
    partner.reset();
    say(output,false,element('p',answer.message));
  });
});
`;
