using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>One aggregate's table as COPY sees it; the rows are made of the very states that their events carry.</summary>
internal sealed record CopyTable<T>(
    string Resource, string IdSequence, string EventType, string Columns, JsonTypeInfo<T> Json, Action<CopyRows, T> Write)
    where T : IAggregateState;

/// <summary>Columns of the five aggregates, in the order in which they are copied.</summary>
internal static class CopyTables
{
    public static readonly CopyTable<CategoryState> Categories = new(
        Resource.Categories.Name, "shop.category_ids", EventTypes.CategoryCreated, "id, name, description, is_active, created_date, version",
        EventJson.Wire.CategoryState,
        (row, category) =>
        {
            row.Integer(category.Id);
            row.Text(category.Name);
            row.Text(category.Description);
            row.Boolean(category.IsActive);
            row.Timestamp(category.CreatedDate);
            row.Bigint(category.Version);
        });

    public static readonly CopyTable<ProductState> Products = new(
        Resource.Products.Name, "shop.product_ids", EventTypes.ProductCreated,
        "id, name, description, price, stock, is_active, is_featured, category_id, created_date, updated_date, version",
        EventJson.Wire.ProductState,
        (row, product) =>
        {
            row.Integer(product.Id);
            row.Text(product.Name);
            row.Text(product.Description);
            row.Money(product.Price);
            row.Integer(product.Stock);
            row.Boolean(product.IsActive);
            row.Boolean(product.IsFeatured);
            row.Integer(product.CategoryId);
            row.Timestamp(product.CreatedDate);
            row.Timestamp(product.UpdatedDate);
            row.Bigint(product.Version);
        });

    public static readonly CopyTable<OrderState> Orders = new(
        Resource.Orders.Name, "shop.order_ids", EventTypes.OrderPlaced,
        "id, user_id, order_date, status, total_amount, shipping_address, tracking_number, shipped_date, delivered_date, version",
        EventJson.Wire.OrderState,
        (row, order) =>
        {
            row.Integer(order.Id);
            row.Integer(order.UserId);
            row.Timestamp(order.OrderDate);
            row.Text(order.Status);
            row.Money(order.TotalAmount);
            row.Text(order.ShippingAddress);
            row.Text(order.TrackingNumber);
            row.Timestamp(order.ShippedDate);
            row.Timestamp(order.DeliveredDate);
            row.Bigint(order.Version);
        });

    public static readonly CopyTable<ReviewState> Reviews = new(
        Resource.Reviews.Name, "shop.review_ids", EventTypes.ReviewCreated,
        "id, product_id, user_id, rating, comment, created_date, is_verified_purchase, version",
        EventJson.Wire.ReviewState,
        (row, review) =>
        {
            row.Integer(review.Id);
            row.Integer(review.ProductId);
            row.Integer(review.UserId);
            row.Integer(review.Rating);
            row.Text(review.Comment);
            row.Timestamp(review.CreatedDate);
            row.Boolean(review.IsVerifiedPurchase);
            row.Bigint(review.Version);
        });

    public static CopyTable<UserState> Users(Func<UserState, string> passwordHash) => new(
        Resource.Users.Name, "shop.user_ids", EventTypes.UserCreated,
        "id, email, first_name, last_name, phone_number, password_hash, created_date, last_login_date, is_active, version",
        EventJson.Wire.UserState,
        (row, user) =>
        {
            row.Integer(user.Id);
            row.Text(user.Email);
            row.Text(user.FirstName);
            row.Text(user.LastName);
            row.Text(user.PhoneNumber);
            row.Text(passwordHash(user));
            row.Timestamp(user.CreatedDate);
            row.Timestamp(user.LastLoginDate);
            row.Boolean(user.IsActive);
            row.Bigint(user.Version);
        });
}
