// Documents as elements. Values are inserted as text, never as markup.

const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: document.documentElement.dataset.currency });
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A product in the list. */
export function productCard(product) {
  const card = copy('product-card');
  const name = card.querySelector('.name');
  name.href = `/?product=${product.id}`;
  card.querySelector('.category').textContent = product.category.name ?? '';
  showProduct(card, product);
  return card;
}

/** The parts that a card and a product's page share. */
export function showProduct(root, product) {
  const tile = root.querySelector('.tile');
  // The golden angle: consecutive ids get very different colours.
  tile.style.setProperty('--hue', String((product.category.id * 137.5) % 360));
  tile.dataset.form = String(product.id % 4);
  tile.dataset.letter = [...product.name.trim()][0]?.toUpperCase() ?? '';
  showPicture(tile, product.images ?? []);
  root.querySelector('.name').textContent = product.name;
  root.querySelector('.price').textContent = money.format(product.price);
  showStock(root.querySelector('.stock'), product);
  showStars(root.querySelector('.stars'), product.rating.average);
  root.querySelector('.count').textContent = product.rating.count ? `(${product.rating.count})` : 'No reviews yet';
  root.querySelector('.stars').hidden = product.rating.count === 0;
}

// The page's policy permits no pictures of other origins. Without one, the tile has its colour, shape and letter.
function showPicture(tile, images) {
  tile.replaceChildren();
  const image = images.find(({ url }) => url.startsWith('/'));
  if (!image) return;
  const picture = new Image(image.width, image.height);
  picture.loading = 'lazy';
  picture.alt = '';
  picture.addEventListener('error', () => picture.remove());
  picture.src = image.url;
  tile.append(picture);
}

/** A review in the list. */
export function reviewItem(review) {
  const item = copy('review');
  const written = item.querySelector('time');
  item.tabIndex = -1;
  showStars(item.querySelector('.stars'), review.rating);
  item.querySelector('.name').textContent = review.user.name ?? 'A customer';
  item.querySelector('.verified').hidden = !review.isVerifiedPurchase;
  item.querySelector('.comment').textContent = review.comment ?? '';
  written.dateTime = review.createdDate;
  written.textContent = day.format(new Date(review.createdDate));
  return item;
}

function showStars(stars, rating) {
  stars.style.setProperty('--rating', String(rating));
  stars.ariaLabel = `${number.format(rating)} of 5 stars`;
}

function showStock(element, { isActive, stock }) {
  const few = stock <= 5;
  element.textContent = !isActive ? 'No longer sold' : !stock ? 'Sold out' : few ? `Only ${stock} left` : 'In stock';
  element.dataset.state = !isActive || !stock ? 'none' : few ? 'few' : 'some';
}

function copy(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}
