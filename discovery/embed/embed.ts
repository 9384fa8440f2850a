import { createHash } from 'node:crypto';

/**
 * /embed.js: the question box and the forms as a custom element for the pages of other sites. The server draws them, in
 * its own style and the language of the page around; the element shows them in a shadow root. The same bytes for every
 * brand, so that one hash holds. A constructed style sheet needs no `style-src` of the page (CSSOM, 6.1.1).
 */
export const EMBED_SCRIPT = `(()=>{
const base=new URL('.',document.currentScript.src).href.slice(0,-1);
const PATHS={ask:'/forms/ask',diagnostic:'/forms/diagnostic',partner:'/forms/partner'};
const trusted=globalThis.trustedTypes?.createPolicy('aval',{createHTML:text=>text});
const parse=text=>new DOMParser().parseFromString(trusted?trusted.createHTML(text):text,'text/html');
const notes=()=>[['page',location.origin+location.pathname],...[...new URLSearchParams(location.search)].filter(([name])=>/^utm_(source|medium|campaign|term|content|id)$/.test(name))];
customElements.define('aval-embed',class extends HTMLElement{
  connectedCallback(){
    if(this.shadowRoot)return;
    this.attachShadow({mode:'open'}).innerHTML=trusted?trusted.createHTML('<slot></slot>'):'<slot></slot>';
    this.box=document.createElement('div');
    this.box.setAttribute('aria-live','polite');
    this.shadowRoot.addEventListener('submit',event=>this.send(event));
    this.show(this.url(PATHS[this.getAttribute('show')]??PATHS.ask),{},true);
  }
  url(path){
    const url=new URL(base+path),lang=this.lang||this.closest('[lang]')?.lang;
    if(lang)url.searchParams.set('lang',lang);
    return url;
  }
  async show(url,init,first){
    try{
      const response=await fetch(url,{...init,headers:{accept:'text/html'},credentials:'omit'});
      const text=await response.text(),style=/<style>(.*?)<\\/style>/s.exec(text),page=parse(text.replace(style?.[0],'')),main=page.querySelector('main');
      if(!main)throw new Error(response.status+' without a page');
      const sheet=new CSSStyleSheet();
      sheet.replaceSync(style[1]);
      this.shadowRoot.adoptedStyleSheets=[sheet];
      if(first||main.querySelector('#ask'))main.querySelector('.hero')?.remove();
      for(const title of main.querySelectorAll('h1'))title.setAttribute('aria-level','2');
      for(const link of main.querySelectorAll('a[href^="/"]')){link.href=base+link.getAttribute('href');link.target='_blank';link.rel='noopener'}
      this.box.replaceChildren(...main.childNodes);
      if(!this.box.isConnected)this.shadowRoot.replaceChildren(this.box);
      if(!first)this.focusOn(this.box.querySelector('[autofocus],[aria-invalid]')??this.box.querySelector('#answer h2,h1'));
      this.dispatchEvent(new CustomEvent('aval:shown',{detail:{status:response.status},bubbles:true}));
    }catch(error){
      console.error('aval-embed: '+url.origin+' did not answer this page. Forms need '+location.origin+' in ALLOWED_ORIGINS of that server.',error);
      for(const button of this.box.querySelectorAll('button'))button.disabled=false;
      const form=this.box.querySelector('[data-offline]'),words=document.createElement('p');
      words.className='error';
      words.textContent=form?.dataset.offline;
      if(form&&form.lastElementChild.className!=='error')form.append(words);
      this.dispatchEvent(new CustomEvent('aval:failed',{bubbles:true}));
    }
  }
  focusOn(target){
    if(!target)return;
    if(!target.matches('input,textarea'))target.tabIndex=-1;
    target.focus();
  }
  send(event){
    event.preventDefault();
    const form=event.target,data=new FormData(form),url=new URL(base+form.getAttribute('action'));
    for(const button of form.querySelectorAll('button'))button.disabled=true;
    if(form.method==='get'){for(const [name,value] of data)url.searchParams.set(name,value);return this.show(url,{})}
    for(const [name,value] of notes())data.set(name,value);
    this.show(url,{method:'POST',body:new URLSearchParams(data)});
  }
});
})();
`;

/** Of Subresource Integrity (W3C SRI, 3.2): a browser runs the script only while it is this one. */
export const EMBED_INTEGRITY = `sha384-${createHash('sha384').update(EMBED_SCRIPT).digest('base64')}`;

/** What goes into a page of another site. @param baseUrl public address of the server */
export const embedSnippet = (
  baseUrl: string,
): string => `<script src="${baseUrl}/embed.js" integrity="${EMBED_INTEGRITY}" crossorigin="anonymous" defer></script>
<aval-embed show="ask"></aval-embed>
<aval-embed show="diagnostic"></aval-embed>
<aval-embed show="partner"></aval-embed>
`;
