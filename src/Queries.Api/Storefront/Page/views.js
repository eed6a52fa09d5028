// Documents as elements. Values are inserted as text, never as markup.

import { isSelling } from './account.js';
import { addButton } from './adding.js';
import { copy, item, link } from './elements.js';

export const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** An amount in the currency that its document names; documents from before it was kept name none. */
export function money(amount, currency) {
  const style = currency ? { style: 'currency', currency } : {};
  return new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2, ...style }).format(amount);
}

/** The page of a product: by its slug, or without one by its id. */
export function addressOf({ id, slug }) {
  return slug ? `/p/${slug}` : `/?product=${id}`;
}

/** A product in a list. */
export function productCard(product) {
  const card = copy('product-card');
  const name = card.querySelector('.name');
  name.href = addressOf(product);
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
  root.querySelector('.price').textContent = money(product.price, product.currency);
  showStock(root.querySelector('.stock'), product);
  showStars(root.querySelector('.stars'), product.rating.average);
  root.querySelector('.count').textContent = product.rating.count ? `(${product.rating.count})` : 'No reviews yet';
  root.querySelector('.stars').hidden = product.rating.count === 0;
  if (!isSelling) return;
  root.querySelector('.add')?.remove();
  (root.querySelector('.offer') ?? root.querySelector('.stock')).after(addButton(product, addressOf(product)));
}

// The page's policy permits no pictures of other origins. Without one, the tile has its colour, shape and letter.
function showPicture(tile, images) {
  tile.replaceChildren();
  const image = images.find(({ url }) => url.startsWith('/'));
  if (!image) return;
  const picture = new Image(image.width, image.height);
  picture.loading = 'lazy';
  // A card hides its tile from screen readers: the name beside it is enough there.
  picture.alt = image.alt ?? '';
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

/** An order of the customer. */
export function purchaseItem({ id, orderDate, status, totalAmount, currency, shippingAddress, items }) {
  const element = copy('purchase');
  const date = element.querySelector('time');
  element.querySelector('h2').textContent = `Order ${id}`;
  date.dateTime = orderDate;
  date.textContent = day.format(new Date(orderDate));
  element.querySelector('.state').textContent = status;
  element.querySelector('.total').textContent = money(totalAmount, currency);
  element.querySelector('.items').append(...items.map(({ productId, productName, quantity, totalPrice }) =>
    item(`${quantity} \u00d7 `, link(`/?product=${productId}`, productName ?? 'A product'), `, ${money(totalPrice, currency)}`)));
  element.querySelector('.address').textContent = shippingAddress;
  return element;
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
