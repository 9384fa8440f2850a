/**
 * What pages and elements of /embed.js do alike, on any root: a wait counts down, a text is copied. `lively` is called for
 * each part of a page that is new.
 */
export const LIVELY = `
const count=root=>{
  for(const wait of root.querySelectorAll('[data-wait]:not([data-until])')){
    wait.dataset.until=Date.now()+wait.dataset.wait*1000;
    const timer=setInterval(()=>{
      const minutes=Math.ceil((wait.dataset.until-Date.now())/60000);
      if(minutes<120)wait.textContent=minutes<=0?wait.dataset.now:wait.dataset.many.replace('{}',minutes);
      if(minutes===1)wait.textContent=wait.dataset.one;
      if(minutes<=0)clearInterval(timer);
    },5000);
  }
};
const lively=root=>{
  count(root);
  for(const button of root.querySelectorAll('[data-copy]')){
    button.hidden=false;
    button.onclick=async()=>{
      const text=button.textContent;
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent=button.dataset.done;
      setTimeout(()=>{button.textContent=text},2500);
    };
  }
};
const busy=(form,text)=>{
  const button=form.querySelector('button:not([type=button])');
  button.dataset.text??=button.textContent;
  button.disabled=text!=null;
  button.setAttribute('aria-busy',text!=null);
  button.textContent=text??button.dataset.text;
};
const trusted=globalThis.trustedTypes?.createPolicy('aval',{createHTML:text=>text});
const parse=text=>new DOMParser().parseFromString(trusted?trusted.createHTML(text):text,'text/html');
`;

/**
 * Checks the signature of the profile with the browser's own WebCrypto, over the bytes that `aval verify` takes: RFC 8785
 * (members in order of their UTF-16 units, numbers and strings as JSON.stringify writes them), detached JWS (RFC 7515,
 * appendix F). Then the words of the claims on the page are compared with the profile's. An exported page carries profile and keys
 * in its links. One that is opened from a disk has no origin to vouch for: there only the command helps.
 */
export const VERIFY = `
const canonical=value=>Array.isArray(value)?'['+value.map(canonical)+']':value&&typeof value==='object'?'{'+Object.keys(value).sort().map(key=>JSON.stringify(key)+':'+canonical(value[key]))+'}':JSON.stringify(value);
const bytes=text=>new TextEncoder().encode(text);
const decoded=text=>Uint8Array.from(atob(text.replaceAll('-','+').replaceAll('_','/')),one=>one.charCodeAt());
const encoded=data=>btoa(data.reduce((text,byte)=>text+String.fromCharCode(byte),'')).replaceAll('+','-').replaceAll('/','_').replace(/=+$/,'');
const KINDS={'P-256':{name:'ECDSA',namedCurve:'P-256',hash:'SHA-256'},Ed25519:{name:'Ed25519'}};
const json=async name=>(await fetch(document.querySelector('a[data-signed="'+name+'"]')?.href??'/.well-known/'+name)).json();
const verified=async()=>{
  const {signatures,...signed}=await json('brand.json'),{keys}=await json('jwks.json');
  const payload=encoded(bytes(canonical(signed)));
  for(const {protected:header,signature} of signatures){
    const {kid}=JSON.parse(new TextDecoder().decode(decoded(header))),jwk=keys.find(key=>key.kid===kid),kind=jwk&&KINDS[jwk.crv];
    if(!kind)continue;
    const key=await crypto.subtle.importKey('jwk',{kty:jwk.kty,crv:jwk.crv,x:jwk.x,y:jwk.y},kind,false,['verify']);
    if(!await crypto.subtle.verify(kind,key,decoded(signature),bytes(header+'.'+payload)))continue;
    const words=id=>id?signed.claims.find(claim=>claim.claim_id===id)?.statement:signed.description;
    return [...document.querySelectorAll('[data-claim]')].every(shown=>shown.querySelector('.statement,.words').textContent===words(shown.dataset.claim));
  }
  return false;
};
document.addEventListener('click',async({target})=>{
  const {good,bad,unable,busy}=target.dataset??{};
  if(!good)return;
  const said=target.parentElement.querySelector('[role=status]');
  said.className='';
  said.textContent=busy+'…';
  if(!crypto.subtle||location.protocol==='file:'){said.textContent=unable;return}
  try{
    const holds=await verified();
    said.className=holds?'good':'error';
    said.textContent=holds?good:bad;
  }catch(error){said.textContent=error.name==='NotSupportedError'?unable:bad}
});
`;

/**
 * What pages do where a browser runs scripts: the page of an answer takes the place of the one that asked, with its address and
 * title; a form goes once; claims are filtered as one types; a browser's agent may ask. All works without: the server draws
 * the same pages.
 */
export const SCRIPT = `${LIVELY}
const asked=new Map();
let turn=0,here=location.pathname+location.search;
const show=async(url,push)=>{
  const mine=++turn,form=document.getElementById('ask');
  if(form)busy(form,form.dataset.busy+'…');
  let text=asked.get(url),fault;
  try{
    if(!text){const response=await fetch(url,{headers:{accept:'text/html'}});text=await response.text();if(response.ok)asked.set(url,text)}
  }catch{fault=form?.dataset.offline}
  if(mine!==turn)return;
  const page=text&&parse(text),main=page?.querySelector('main');
  if(!main){
    if(!form)return location.assign(url);
    busy(form);
    form.parentElement.querySelector('.error')?.remove();
    const words=Object.assign(document.createElement('p'),{className:'error',textContent:fault??form.dataset.unavailable});
    words.setAttribute('role','alert');
    return form.after(words);
  }
  if(push)history.pushState(null,'',url);
  here=location.pathname+location.search;
  document.title=page.title;
  for(const part of ['header','main','footer'])document.querySelector(part).replaceWith(page.querySelector(part));
  lively(document);
  if(!push)return;
  scrollTo({top:0,behavior:'instant'});
  const heading=document.querySelector('#answer h1,#answer h2')??document.querySelector('h1');
  heading.tabIndex=-1;
  heading.focus({preventScroll:true});
};
document.addEventListener('submit',event=>{
  const form=event.target;
  if(form.id==='ask'){
    event.preventDefault();
    show(form.action+'?'+new URLSearchParams(new FormData(form)),true);
  }else if(form.method==='post'){
    const key=form.elements._key;
    if(key&&!key.value)key.value=crypto.randomUUID?.()??String(Math.random());
    setTimeout(()=>busy(form,form.dataset.busy+'…'));
  }
});
document.addEventListener('click',event=>{
  const link=event.target.closest?.('a[data-ask]');
  if(!link||event.metaKey||event.ctrlKey||event.shiftKey)return;
  event.preventDefault();
  show(link.href,true);
});
addEventListener('popstate',()=>{if(here!==location.pathname+location.search)show(location.href)});
addEventListener('pageshow',event=>{
  if(event.persisted)for(const button of document.querySelectorAll('button[data-text]'))busy(button.form);
});
const fold=text=>text.normalize('NFD').replace(/\\p{M}/gu,'').toLowerCase();
document.addEventListener('input',({target})=>{
  if(target.id!=='filter')return;
  const words=fold(target.value).split(/\\s+/);
  for(const claim of document.querySelectorAll('.claim'))claim.hidden=!words.every(word=>fold(claim.textContent).includes(word));
  for(const group of document.querySelectorAll('.group'))group.hidden=!group.querySelector('.claim:not([hidden])');
});
lively(document);
${VERIFY}
`;
