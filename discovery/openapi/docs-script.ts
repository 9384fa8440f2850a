/** Copying, trying and searching, where a browser runs scripts: the page says the same without. */
export const REFERENCE_SCRIPT = `
for(const block of document.querySelectorAll('pre:not([hidden])')){
  const button=Object.assign(document.createElement('button'),{type:'button',className:'copy',textContent:'Copy'});
  button.addEventListener('click',async()=>{
    await navigator.clipboard.writeText(block.textContent);
    button.textContent='Copied';
    setTimeout(()=>{button.textContent='Copy'},2000);
  });
  block.after(button);
}
for(const form of document.querySelectorAll('.try'))form.addEventListener('submit',async event=>{
  event.preventDefault();
  const shown=form.querySelector('pre'),query=new URLSearchParams(new FormData(form)).toString();
  shown.hidden=false;
  try{
    const response=await fetch(form.action+(query&&'?'+query),{headers:{accept:'application/json'}});
    const headers=[...response.headers].map(([name,value])=>name+': '+value).join('\\n');
    shown.textContent='HTTP '+response.status+'\\n'+headers+'\\n\\n'+JSON.stringify(await response.json(),null,2);
  }catch(error){shown.textContent='No answer: '+error.message}
});
const search=document.getElementById('search'),found=document.getElementById('found');
search.closest('form').hidden=false;
search.closest('form').addEventListener('submit',event=>event.preventDefault());
search.addEventListener('input',()=>{
  const words=search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const matches=node=>{const text=node.textContent.toLowerCase();return words.every(word=>text.includes(word))};
  for(const row of document.querySelectorAll('tbody tr,.call'))row.hidden=!matches(row);
  let count=0;
  for(const section of document.querySelectorAll('section')){section.hidden=!matches(section);count+=section.hidden?0:1}
  found.textContent=words.length===0?'':count+(count===1?' section':' sections');
});
`;
