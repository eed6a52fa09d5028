// What the pages need of each resource: columns, filters and sorts of its list, and the members of its form.

const flags = [['', 'Any'], ['true', 'Yes'], ['false', 'No']];
const statuses = ['Pending', 'Processing', 'Shipped', 'Delivered', 'Cancelled'];
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const time = (text) => (text ? date.format(new Date(text)) : '');
const yesNo = (value) => (value ? 'Yes' : 'No');
const named = ({ id, name }) => name ?? `#${id}`;

export function money(value, currency) {
  if (!currency) return value.toFixed(2);
  // The shop has cents in every currency, also in those without minor units.
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...cents }).format(value);
}

const column = (title, text, kind = '') => ({ title, text, kind });
const filter = (name, title, type = 'text', pairs = flags) => ({ name, title, type, pairs });
const member = (name, title, type = 'text', more = {}) => ({ name, title, type, ...more });
const active = member('isActive', 'Active', 'flag', { initial: true });
const isActive = filter('isActive', 'Active', 'choice');

export const resources = {
  products: {
    title: 'Products', one: 'product', isImported: true, nameOf: (one) => one.name,
    columns: [
      column('SKU', (one) => one.sku, 'minor'),
      column('Category', (one) => named(one.category), 'minor'),
      column('Price', (one) => money(one.price, one.currency), 'number'),
      column('Stock', (one) => one.stock, 'number'),
      column('Active', (one) => yesNo(one.isActive)),
      column('Rating', (one) => (one.rating.count ? `${one.rating.average} (${one.rating.count})` : ''), 'minor'),
      column('Changed', (one) => time(one.updatedDate ?? one.createdDate), 'minor'),
    ],
    filters: [
      filter('q', 'Search', 'search'), isActive, filter('inStock', 'In stock', 'choice'),
      filter('categoryId', 'Category number'), filter('minPrice', 'Price from'), filter('maxPrice', 'Price to'),
      filter('isFeatured', 'Featured', 'choice'), filter('modifiedAfter', 'Changed after', 'date'),
    ],
    sorts: [
      ['', 'Number'], ['name', 'Name'], ['price', 'Cheapest'], ['-price', 'Dearest'], ['newest', 'Newest'],
      ['rating', 'Best rated'], ['relevance', 'Best match'],
    ],
    members: [
      member('name', 'Name'), member('price', 'Price', 'number'),
      member('stock', 'Stock', 'number', { isNewOnly: true }),
      member('categoryId', 'Category number', 'number', { read: (one) => one.category.id }),
      member('description', 'Description', 'area'), active, member('isFeatured', 'Featured', 'flag'),
      member('sku', 'SKU'), member('slug', 'Slug', 'text', { hint: 'The address of its page: words of a-z and 0-9.' }),
      member('images', 'Images', 'images'),
    ],
    bulk: [member('price', 'Price', 'number'), member('stock', 'Stock', 'number'), active],
  },
  categories: {
    title: 'Categories', one: 'category', isImported: true, nameOf: (one) => one.name,
    columns: [
      column('Products', (one) => one.productCount, 'number'), column('Active', (one) => yesNo(one.isActive)),
      column('Created', (one) => time(one.createdDate), 'minor'),
    ],
    filters: [isActive],
    sorts: [['', 'Number'], ['name', 'Name']],
    members: [member('name', 'Name'), member('description', 'Description', 'area'), active],
    bulk: [active],
  },
  orders: {
    title: 'Orders', one: 'order', isNotCreated: true, nameOf: (one) => `Order ${one.id}`,
    columns: [
      column('Customer', (one) => named(one.customer)), column('Date', (one) => time(one.orderDate), 'minor'),
      column('Status', (one) => one.status), column('Items', (one) => one.itemCount, 'minor number'),
      column('Total', (one) => money(one.totalAmount, one.currency), 'number'),
    ],
    filters: [
      filter('status', 'Status', 'choice', [['', 'Any'], ...statuses.map((one) => [one, one])]),
      filter('customerId', 'Customer number'), filter('fromDate', 'From', 'date'),
      { ...filter('toDate', 'To', 'date'), isEnd: true }, filter('minAmount', 'Total from'),
    ],
    sorts: [['', 'Number'], ['newest', 'Newest'], ['-amount', 'Largest']],
    members: [member('shippingAddress', 'Shipping address', 'area'), member('trackingNumber', 'Tracking number')],
  },
  users: {
    title: 'Customers', one: 'customer', isImported: true, nameOf: (one) => `${one.firstName} ${one.lastName}`,
    columns: [
      column('E-mail', (one) => one.email), column('Orders', (one) => one.orderCount, 'minor number'),
      column('Spent', (one) => one.totalSpent.toFixed(2), 'number'), column('Active', (one) => yesNo(one.isActive)),
      column('Since', (one) => time(one.createdDate), 'minor'),
    ],
    filters: [filter('email', 'E-mail', 'search'), isActive, filter('createdAfter', 'Created after', 'date')],
    sorts: [['', 'Number'], ['newest', 'Newest']],
    members: [
      member('email', 'E-mail'), member('firstName', 'First name'), member('lastName', 'Last name'),
      member('phoneNumber', 'Phone number'),
      member('password', 'Password', 'password', { read: () => null, hint: '8 characters or more; empty keeps it.' }),
      active,
    ],
    bulk: [active],
  },
  reviews: {
    title: 'Reviews', one: 'review', isImported: true, nameOf: (one) => `Review ${one.id}`,
    columns: [
      column('Product', (one) => named(one.product)), column('Author', (one) => named(one.user), 'minor'),
      column('Rating', (one) => one.rating, 'number'), column('Comment', (one) => one.comment, 'long'),
      column('Date', (one) => time(one.createdDate), 'minor'),
    ],
    filters: [
      filter('productId', 'Product number'), filter('userId', 'Customer number'),
      filter('minRating', 'Rating from', 'choice', [['', 'Any'], ...['2', '3', '4', '5'].map((one) => [one, one])]),
    ],
    sorts: [['', 'Number'], ['newest', 'Newest'], ['-rating', 'Best']],
    members: [
      member('productId', 'Product number', 'number', { isNewOnly: true }),
      member('userId', 'Customer number', 'number', { isNewOnly: true }),
      member('rating', 'Rating', 'number'), member('comment', 'Comment', 'area'),
    ],
  },
};

/** The steps that an order with a status can take. */
export const steps = {
  Pending: ['Processing', 'Cancelled'], Processing: ['Shipped', 'Cancelled'], Shipped: ['Delivered'],
};
