using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Orders;

/// <summary>
/// Section <c>Orders</c>: how long an order may stay Pending, how many a customer may have, and how large each may be.
/// </summary>
internal sealed class OrderOptions
{
    public const string Section = "Orders";

    /// <summary>
    /// After how many minutes an order that is still Pending is cancelled. 0: a new order has no deadline. Orders keep
    /// the deadline that they were created with.
    /// </summary>
    [Range(0, 525_600)]
    public int PendingMinutes { get; set; } = 60;

    /// <summary>
    /// How many Pending orders with a deadline a customer may have; one more is refused with 429. Orders that are
    /// created at the same moment may exceed it. An API key may create any number.
    /// </summary>
    [Range(1, 100_000)]
    public int PendingOfCustomer { get; set; } = 20;

    /// <summary>
    /// How many pieces of a product an order of a customer may have, all its items together; one with more is refused
    /// with 400. An API key may order any number.
    /// </summary>
    [Range(1, 1_000_000_000)]
    public int QuantityOfCustomer { get; set; } = 1_000;

    /// <summary>How often each process looks for expired orders.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "01:00:00")]
    public TimeSpan ExpiryInterval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The time that an order may be Pending; null for any time.</summary>
    internal TimeSpan? PendingTime => PendingMinutes == 0 ? null : TimeSpan.FromMinutes(PendingMinutes);
}

[OptionsValidator]
internal sealed partial class OrderOptionsValidator : IValidateOptions<OrderOptions>;
