using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// DELETE /orders/bulk-delete-old?olderThanDays=: deletes the orders that were delivered more than 1 to 36,500 days
/// ago. Each chunk is a transaction: the chunks before an interruption stay deleted, and the next request deletes the
/// rest.
/// </summary>
internal static class DeleteOldOrders
{
    internal sealed record Command(int OlderThanDays) : IRequest<Result<DeletedRows>>;

    public static void Map(RouteGroupBuilder orders) =>
        orders.MapDelete("/bulk-delete-old", Handle)
            .WithName(nameof(DeleteOldOrders)).WithRequestTimeout(RequestTimeLimits.Long);

    private static async Task<Results<Ok<DeletedRows>, ProblemHttpResult>> Handle(
        [Range(1, 36_500)] int olderThanDays, IMediator mediator, CancellationToken ct) =>
        CommandResponses.Done(await mediator.Send(new Command(olderThanDays), ct));

    internal sealed class Handler(ChunkedDeletion deletion, TimeProvider clock)
        : IRequestHandler<Command, Result<DeletedRows>>
    {
        public async Task<Result<DeletedRows>> Handle(Command command, CancellationToken ct)
        {
            var cutoff = clock.GetUtcMicroseconds().AddDays(-command.OlderThanDays);
            return new DeletedRows(await deletion.DeleteAsync(
                EventTypes.OrderDeleted,
                Resource.Orders.Name,
                chunk =>
                    $"""
                    DELETE FROM shop.orders WHERE id = ANY (ARRAY(
                        SELECT id FROM shop.orders
                        WHERE status = {nameof(OrderStatus.Delivered)} AND delivered_date < {cutoff}
                            AND id > {chunk.After}
                        ORDER BY id LIMIT {chunk.Rows} FOR UPDATE))
                    """,
                ct));
        }
    }
}
