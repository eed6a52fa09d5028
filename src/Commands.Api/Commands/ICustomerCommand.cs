namespace ApexShop.Commands.Api.Commands;

/// <summary>A command that customers may send.</summary>
internal interface ICustomerCommand
{
    /// <summary>Whether the command concerns only what belongs to the customer.</summary>
    bool IsPermittedTo(int customerId);
}
