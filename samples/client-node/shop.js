// Finds products, signs a customer in, orders, and reads the order at once. docs/clients.md explains it.
import { ShopClient, ShopProblem } from '@apexshop/client';

const [words] = process.argv.slice(2);
const { COMMANDS_URL, QUERIES_URL, CUSTOMER_EMAIL, CUSTOMER_PASSWORD } = process.env;
if (!words || !COMMANDS_URL || !QUERIES_URL || !CUSTOMER_EMAIL || !CUSTOMER_PASSWORD) {
  console.error('node shop.js <words>, with COMMANDS_URL, QUERIES_URL, CUSTOMER_EMAIL and CUSTOMER_PASSWORD');
  process.exit(2);
}

const shop = new ShopClient({ commands: COMMANDS_URL, queries: QUERIES_URL });
try {
  const items = [];
  for await (const product of shop.products.list({ q: words, inStock: true, isActive: true, sort: 'price' })) {
    console.log(`${product.name}: ${product.price} ${product.currency}, ${product.stock} in stock`);
    if (items.length < 2) items.push({ productId: product.id, quantity: 1 });
  }

  const session = await shop.signIn(CUSTOMER_EMAIL, CUSTOMER_PASSWORD);
  const customer = shop.as(session.token);

  const placed = await customer.orders.create({ userId: session.customerId, shippingAddress: '1 Main Street', items });
  const order = await customer.orders.get(placed.id);
  console.log(`Order ${order.id} of ${order.customer.name}: ${order.status}, ${order.totalAmount} ${order.currency}`);
  for (const item of order.items) console.log(`  ${item.quantity} x ${item.productName}: ${item.totalPrice}`);
} catch (error) {
  if (!(error instanceof ShopProblem)) throw error;
  console.error(`${error.message} (trace ${error.traceId})`);
  process.exitCode = 1;
}
