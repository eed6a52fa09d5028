using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Results;
using ApexShop.Events;
using ApexShop.Resources;
using MediatR;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// DELETE /orders/bulk-delete-old?olderThanDays=: removes the orders that were delivered more than 1 to 36,500 days ago.
/// Each chunk is committed by itself: a run that is cut has deleted what it had come to, and the next one goes on.
/// </summary>
internal static class DeleteOldOrders
{
    internal sealed record Command(int OlderThanDays) : IRequest<Result<DeletedRows>>;

    public static void Map(RouteGroupBuilder orders) =>
        orders.MapDelete("/bulk-delete-old", Handle).WithName(nameof(DeleteOldOrders)).WithRequestTimeout(RequestTime.Long);

    private static async Task<Results<Ok<DeletedRows>, ProblemHttpResult>> Handle(
        [Range(1, 36_500)] int olderThanDays, IMediator mediator, CancellationToken ct) =>
        Answers.Done(await mediator.Send(new Command(olderThanDays), ct));

    internal sealed class Handler(ChunkedChange changes, TimeProvider clock)
        : IRequestHandler<Command, Result<DeletedRows>>
    {
        public async Task<Result<DeletedRows>> Handle(Command command, CancellationToken ct)
        {
            var cutoff = clock.GetUtcMicroseconds().AddDays(-command.OlderThanDays);
            return new DeletedRows(await changes.DeleteAsync(
                EventTypes.OrderDeleted,
                Resource.Orders.Name,
                chunk =>
                    $"""
                    DELETE FROM shop.orders WHERE id = ANY (ARRAY(
                        SELECT id FROM shop.orders
                        WHERE status = {nameof(OrderStatus.Delivered)} AND delivered_date < {cutoff} AND id > {chunk.After}
                        ORDER BY id LIMIT {chunk.Rows} FOR UPDATE))
                    """,
                ct));
        }
    }
}
