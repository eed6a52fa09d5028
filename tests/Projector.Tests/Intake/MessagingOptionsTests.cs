using ApexShop.Projector.Intake;

namespace ApexShop.Projector.Tests.Intake;

public sealed class MessagingOptionsTests
{
    [Theory]
    [InlineData("amqp://shop:a%2Fb@broker:5673/apexshop", "amqp://shop:a%2Fb@broker:5673/apexshop")]
    [InlineData("amqps://broker/", "amqps://broker/")]
    [InlineData("rabbitmq://shop:a%2Fb@broker/apexshop", "amqp://shop:a%2Fb@broker/apexshop")]
    [InlineData("rabbitmqs://broker/apexshop", "amqps://broker/apexshop")]
    public void A_broker_has_the_scheme_of_the_client_or_of_MassTransit(string url, string amqp)
    {
        var options = new MessagingOptions { Url = url };

        new MessagingOptionsValidator().Validate(null, options).Failed.ShouldBeFalse();
        options.AmqpUrl.AbsoluteUri.ShouldBe(amqp);
    }

    [Theory]
    [InlineData("http://broker/")]
    [InlineData("broker/apexshop")]
    [InlineData("amqp://shop:s3cr#et@broker/apexshop")]
    [InlineData("amqp://shop:s3cr/et@broker/apexshop")]
    public void Any_other_address_is_refused_with_those_that_are_accepted(string url)
    {
        var options = new MessagingOptions { Url = url };

        var result = new MessagingOptionsValidator().Validate(null, options);

        result.FailureMessage.ShouldNotBeNull().ShouldContain("amqp://");
        result.FailureMessage.ShouldNotContain("s3cr");
    }
}
