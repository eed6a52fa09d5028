using ApexShop.Access;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Events.AsyncApi;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Operations;
using ApexShop.Commands.Api.Operations.Admin;
using ApexShop.Commands.Api.Operations.Checksums;
using ApexShop.Commands.Api.Operations.Console;
using ApexShop.Commands.Api.Operations.Seeding;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Commands.Api.Webhooks;
using ApexShop.Hosting;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// The scope that each endpoint requires, by the endpoint's name, and whether it permits customers. The process does
/// not start when an endpoint is missing here, or when a name has no endpoint. docs/access.md is generated from this
/// table.
/// </summary>
internal static class AccessMatrix
{
    public const string Public = "public";

    private static readonly (string Scope, string[] Endpoints)[] rules =
    [
        (Resource.Products.WriteScope,
        [
            nameof(CreateProduct), nameof(BulkCreateProducts), nameof(UpdateProduct), nameof(PatchProduct),
            nameof(BulkUpdateProducts), nameof(DeleteProduct), nameof(BulkDeleteProducts), nameof(SetStock),
            nameof(SetStockByCategory),
        ]),
        (Resource.Categories.WriteScope,
        [
            nameof(CreateCategory), nameof(BulkCreateCategories), nameof(UpdateCategory), nameof(PatchCategory),
            nameof(BulkUpdateCategories), nameof(DeleteCategory), nameof(BulkDeleteCategories),
        ]),
        (Resource.Reviews.WriteScope,
        [
            nameof(BulkCreateReviews), nameof(UpdateReview), nameof(PatchReview), nameof(BulkUpdateReviews),
            nameof(DeleteReview), nameof(BulkDeleteReviews), nameof(DeleteOldReviews),
        ]),
        (Scopes.OrCustomer(Resource.Reviews.WriteScope), [nameof(CreateReview)]),
        (Resource.Orders.WriteScope,
            [nameof(UpdateOrder), nameof(PatchOrder), nameof(DeleteOrder), nameof(DeleteOldOrders)]),
        (Scopes.OrCustomer(Resource.Orders.WriteScope), [nameof(CreateOrder)]),
        (Resource.Users.WriteScope,
        [
            nameof(CreateUser), nameof(BulkCreateUsers), nameof(UpdateUser), nameof(PatchUser),
            nameof(BulkUpdateUsers), nameof(DeleteUser), nameof(BulkDeleteUsers), nameof(DeactivateInactiveUsers),
        ]),
        (Scopes.EventsRead, [nameof(ReadEvents), nameof(FollowEvents), nameof(ReadChecksums), nameof(ReadAggregates)]),
        (Scopes.MetricsRead, [nameof(GetMetrics)]),
        (Scopes.UsersErase, [nameof(EraseUser)]),
        (Scopes.Admin, [nameof(SeedShop), nameof(GetPipeline), .. ProjectorRoutes.All.Select(route => route.Name)]),
        (Scopes.Admin,
        [
            nameof(ListWebhooks), nameof(CreateWebhook), nameof(GetWebhook), nameof(ReplaceWebhook),
            nameof(DeleteWebhook), nameof(RenewWebhookSecret), nameof(TestWebhook), nameof(ListUndelivered),
            nameof(ReplayUndelivered), nameof(DiscardUndelivered),
        ]),
        (Public,
        [
            nameof(CreateSession), nameof(GetAdmin), nameof(GetConsole), nameof(GetLimits), Probes.Live, Probes.Ready,
            Probes.Version, DocsRoutes.Name, AsyncApiRoutes.Name,
        ]),
    ];

    public static IReadOnlyDictionary<string, string> Needs { get; } = rules
        .SelectMany(rule => rule.Endpoints, (rule, endpoint) => (endpoint, rule.Scope))
        .ToDictionary(StringComparer.Ordinal);
}
