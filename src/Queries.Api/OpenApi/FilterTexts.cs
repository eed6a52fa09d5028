using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>Which documents a filter keeps, in the words of docs/queries.md.</summary>
internal static class FilterTexts
{
    public static string Of(Filter filter) => $"Keeps documents whose {Condition(filter.Name)}.";

    public static string Condition(string filter) => filter switch
    {
        "categoryId" => "category is this one",
        "minPrice" => "price is this or more",
        "maxPrice" => "price is this or less",
        "inStock" => "stock is more than 0, or is 0",
        "isActive" => "isActive is this",
        "isFeatured" => "isFeatured is this",
        "modifiedAfter" => "last change, or creation, is later",
        "q" => "name or description has these words",
        "customerId" => "customer is this one",
        "status" => "status is this one",
        "fromDate" => "order date is this or later",
        "toDate" => "order date is this or earlier",
        "minAmount" => "total amount is this or more",
        "productId" => "product is this one",
        "userId" => "user is this one",
        "minRating" => "rating is this or more",
        "createdAfter" => "creation is later",
        "email" => "e-mail is this one, whatever the case of its letters",
        _ => throw new InvalidOperationException($"The filter {filter} has no words."),
    };
}
