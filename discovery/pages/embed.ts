import { createHash } from 'node:crypto';
import type { Site } from '../documents/site.ts';
import { LIVELY } from './script.ts';

/**
 * /embed.js: the question box and the forms as custom elements for the pages of other sites. The server draws them in the
 * language of the page around; the element shows them in a shadow root, inside a box that inherits nothing. The script names
 * its server itself, so it works as a module, in a bundle and loaded twice. A constructed style sheet needs no `style-src`
 * of the page (CSSOM, 6.1.1); its sizes become pixels, since `rem` is the page's.
 */
export const embedScript = ({ baseUrl }: Pick<Site, 'baseUrl'>): string => `(()=>{
if(customElements.get('aval-ask'))return;${LIVELY}
const base=${JSON.stringify(baseUrl)};
const PATHS={ask:'/forms/ask',diagnostic:'/forms/diagnostic',partner:'/forms/partner'};
const PARTS={form:'form',label:'label','input:not([type=hidden]),textarea':'field',button:'button',h1:'title','.verdict':'verdict','.claim':'claim','.statement':'statement','.figure':'figure','.pairs':'boundary','.chips a':'chip','.error':'error','.reference':'reference'};
const notes=()=>[['page',location.origin+location.pathname],...[...new URLSearchParams(location.search)].filter(([name])=>/^utm_(source|medium|campaign|term|content|id)$/.test(name))];
class Embed extends HTMLElement{
  static observedAttributes=['show','action','lang'];
  get shown(){return this.getAttribute('show')??'ask'}
  connectedCallback(){
    if(this.shadowRoot)return;
    this.attachShadow({mode:'open'}).append(document.createElement('slot'));
    this.box=document.createElement('div');
    this.box.className='aval';
    this.box.setAttribute('part','box');
    this.box.setAttribute('aria-live','polite');
    this.shadowRoot.addEventListener('submit',event=>this.send(event));
    this.shadowRoot.addEventListener('click',event=>this.follow(event));
    this.begin();
  }
  attributeChangedCallback(name,before,now){if(this.shadowRoot&&before!==now)this.begin()}
  begin(){
    const path=PATHS[this.shown];
    if(path)this.load(this.url(path),{},true);
    else this.fail(new Error('"'+this.shown+'" is none of '+Object.keys(PATHS).join(', ')));
  }
  url(path){
    const url=new URL(base+path),lang=this.lang||this.closest('[lang]')?.lang;
    if(lang&&!url.searchParams.has('lang'))url.searchParams.set('lang',lang);
    return url;
  }
  async load(url,init,first){
    this.box.setAttribute('aria-busy','true');
    try{
      const response=await fetch(url,{...init,headers:{accept:'text/html'},credentials:'omit'});
      const text=await response.text(),style=/<style>(.*?)<\\/style>/s.exec(text),page=parse(text.replace(style?.[0],'')),parts=page.querySelectorAll('.core');
      if(parts.length===0)throw Object.assign(new Error('HTTP '+response.status+' without a page'),{status:response.status});
      const sheet=new CSSStyleSheet();
      sheet.replaceSync(style[1].replace(/([\\d.]+)rem/g,(_,size)=>size*16+'px'));
      this.shadowRoot.adoptedStyleSheets=[sheet];
      this.box.replaceChildren(...parts);
      this.adapt();
      if(!this.box.isConnected)this.shadowRoot.replaceChildren(this.box);
      lively(this.box);
      if(!first)this.focusOn(this.box.querySelector('[autofocus],[aria-invalid]')??this.box.querySelector('h1'));
      this.tell('shown',{status:response.status});
    }catch(error){this.fail(error,url)}
    this.box.removeAttribute('aria-busy');
  }
  adapt(){
    for(const one of this.box.querySelectorAll('.furniture'))one.remove();
    for(const check of this.box.querySelectorAll('[data-good]'))check.replaceWith(Object.assign(document.createElement('a'),{href:'/claims#signature',textContent:check.textContent}));
    for(const link of this.box.querySelectorAll('a[href^="/"]:not([data-ask])')){link.href=base+link.getAttribute('href');link.target='_blank';link.rel='noopener'}
    for(const title of this.box.querySelectorAll('h1,h2,h3'))title.setAttribute('aria-level',Number(title.localName[1])+1);
    for(const [css,name] of Object.entries(PARTS))for(const one of this.box.querySelectorAll(css))one.setAttribute('part',name);
  }
  focusOn(target){
    if(!target)return;
    if(!target.matches('input,textarea'))target.tabIndex=-1;
    target.focus();
  }
  follow(event){
    const link=event.target.closest('a'),to=link?.getAttribute('href');
    if(!to||event.metaKey||event.ctrlKey||event.shiftKey)return;
    const field=to[0]==='#'&&this.shadowRoot.getElementById(to.slice(1));
    if(!field&&link.dataset.ask===undefined)return;
    event.preventDefault();
    if(field)return field.focus();
    const form=this.box.querySelector('#ask');
    if(form)busy(form,form.dataset.busy+'…');
    this.load(this.url(to),{});
  }
  send(event){
    event.preventDefault();
    const form=event.target,data=new FormData(form),url=this.url(form.getAttribute('action'));
    busy(form,form.dataset.busy+'…');
    if(form.method==='get'){for(const [name,value] of data)url.searchParams.set(name,value);return this.load(url,{})}
    for(const [name,value] of notes())data.set(name,value);
    if(!data.get('_key'))data.set('_key',this.key??=String(Math.random()));
    data.set('_next',base+'/forms/thanks?of='+(url.pathname==='/forms/partner'?'partner':'diagnostic')+'&lang='+(url.searchParams.get('lang')??''));
    this.load(url,{method:'POST',body:new URLSearchParams(data)});
  }
  fail(error,url){
    console.error('<'+this.localName+'>: '+error.message+(error.status?'':'. Forms need '+location.origin+' in ALLOWED_ORIGINS of '+base+'.'),error);
    const form=this.box.querySelector('[aria-busy=true]')?.form;
    if(form){
      busy(form);
      form.parentElement.querySelector('.lost')?.remove();
      const words=Object.assign(document.createElement('p'),{className:'error lost',textContent:error.status?form.dataset.unavailable:form.dataset.offline});
      words.setAttribute('role','alert');
      form.after(words);
    }else if(!this.box.isConnected&&!this.childNodes.length)this.append(Object.assign(document.createElement('a'),{href:url??base,textContent:new URL(base).host}));
    this.tell('failed',{status:error.status,reason:error.message});
  }
  tell(name,detail){this.dispatchEvent(new CustomEvent('aval:'+name,{detail,bubbles:true}))}
}
customElements.define('aval-embed',Embed);
customElements.define('aval-ask',class extends Embed{get shown(){return 'ask'}});
customElements.define('aval-form',class extends Embed{get shown(){return this.getAttribute('action')??'diagnostic'}});
})();
`;

/** The same script at an address that changes with it, so that it can be pinned by its hash and kept for ever. */
export function pinnedPath(site: Pick<Site, 'baseUrl'>): string {
  return `/embed.${createHash('sha256').update(embedScript(site)).digest('hex').slice(0, 12)}.js`;
}

/**
 * What goes into a page of another site: elements with a link for whoever gets no script, and the script once with its hash
 * (Subresource Integrity), once without.
 * @param baseUrl public address of the server
 */
export function embedSnippet(baseUrl: string): string {
  const integrity = `sha384-${createHash('sha384').update(embedScript({ baseUrl })).digest('base64')}`;
  return `<script src="${baseUrl}/embed.js" async></script>
<aval-ask><a href="${baseUrl}/forms/ask">Ask us</a></aval-ask>
<aval-form action="diagnostic"><a href="${baseUrl}/forms/diagnostic">Request a diagnostic</a></aval-form>
<aval-form action="partner"><a href="${baseUrl}/forms/partner">Become a partner</a></aval-form>

<!-- Pinned to this version of the server, in place of the first line: -->
<script src="${baseUrl}${pinnedPath({ baseUrl })}" integrity="${integrity}" crossorigin="anonymous" async></script>
`;
}
