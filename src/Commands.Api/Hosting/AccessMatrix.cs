using ApexShop.Access;
using ApexShop.Commands.Api.Admin;
using ApexShop.Commands.Api.Auditing;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Console;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Events.AsyncApi;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Parking;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Rebuilding;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>
/// Who may call what: every endpoint by its name, and the scope it needs. An endpoint that is not here stops the
/// process at its start, as does a line without an endpoint; docs/access.md repeats the table.
/// </summary>
internal static class AccessMatrix
{
    public const string Public = "public";

    public static IReadOnlyDictionary<string, string> Needs { get; } = new Dictionary<string, string>(StringComparer.Ordinal)
    {
        [nameof(CreateProduct)] = Scopes.CatalogWrite,
        [nameof(BulkCreateProducts)] = Scopes.CatalogWrite,
        [nameof(UpdateProduct)] = Scopes.CatalogWrite,
        [nameof(BulkUpdateProducts)] = Scopes.CatalogWrite,
        [nameof(DeleteProduct)] = Scopes.CatalogWrite,
        [nameof(BulkDeleteProducts)] = Scopes.CatalogWrite,
        [nameof(SetStockByCategory)] = Scopes.CatalogWrite,

        [nameof(CreateCategory)] = Scopes.CatalogWrite,
        [nameof(BulkCreateCategories)] = Scopes.CatalogWrite,
        [nameof(UpdateCategory)] = Scopes.CatalogWrite,
        [nameof(BulkUpdateCategories)] = Scopes.CatalogWrite,
        [nameof(DeleteCategory)] = Scopes.CatalogWrite,
        [nameof(BulkDeleteCategories)] = Scopes.CatalogWrite,

        [nameof(CreateReview)] = Scopes.CatalogWrite,
        [nameof(BulkCreateReviews)] = Scopes.CatalogWrite,
        [nameof(UpdateReview)] = Scopes.CatalogWrite,
        [nameof(BulkUpdateReviews)] = Scopes.CatalogWrite,
        [nameof(DeleteReview)] = Scopes.CatalogWrite,
        [nameof(BulkDeleteReviews)] = Scopes.CatalogWrite,
        [nameof(DeleteOldReviews)] = Scopes.CatalogWrite,

        [nameof(CreateOrder)] = Scopes.OrdersWrite,
        [nameof(UpdateOrder)] = Scopes.OrdersWrite,
        [nameof(DeleteOrder)] = Scopes.OrdersWrite,
        [nameof(DeleteOldOrders)] = Scopes.OrdersWrite,

        [nameof(CreateUser)] = Scopes.UsersWrite,
        [nameof(BulkCreateUsers)] = Scopes.UsersWrite,
        [nameof(UpdateUser)] = Scopes.UsersWrite,
        [nameof(BulkUpdateUsers)] = Scopes.UsersWrite,
        [nameof(DeleteUser)] = Scopes.UsersWrite,
        [nameof(BulkDeleteUsers)] = Scopes.UsersWrite,
        [nameof(DeactivateInactiveUsers)] = Scopes.UsersWrite,

        [nameof(ReadEvents)] = Scopes.EventsRead,
        [nameof(FollowEvents)] = Scopes.EventsRead,
        [nameof(ReadChecksums)] = Scopes.EventsRead,
        [nameof(ReadAggregates)] = Scopes.EventsRead,
        [nameof(SeedShop)] = Scopes.Admin,
        [nameof(GetProjection)] = Scopes.Admin,
        [nameof(GetPipeline)] = Scopes.Admin,
        [nameof(GetMetrics)] = Scopes.MetricsRead,
        [nameof(AuditDocuments)] = Scopes.Admin,
        [nameof(StartRebuild)] = Scopes.Admin,
        [nameof(GetRebuild)] = Scopes.Admin,
        [nameof(RollBackRebuild)] = Scopes.Admin,
        [nameof(DropPrevious)] = Scopes.Admin,

        [nameof(ListParked)] = Scopes.Admin,
        [nameof(GetParked)] = Scopes.Admin,
        [nameof(ReplayParked)] = Scopes.Admin,
        [nameof(ReplayAllParked)] = Scopes.Admin,
        [nameof(HealAggregate)] = Scopes.Admin,
        [nameof(DiscardParked)] = Scopes.Admin,
        [nameof(ListDeadLetters)] = Scopes.Admin,
        [nameof(GetDeadLetter)] = Scopes.Admin,
        [nameof(ReplayDeadLetter)] = Scopes.Admin,
        [nameof(ReplayAllDeadLetters)] = Scopes.Admin,
        [nameof(DiscardDeadLetter)] = Scopes.Admin,

        [nameof(GetConsole)] = Public,
        [nameof(GetLimits)] = Public,
        [Probes.Live] = Public,
        [Probes.Ready] = Public,
        [DocsRoutes.Name] = Public,
        [AsyncApiRoutes.Name] = Public,
    };
}
